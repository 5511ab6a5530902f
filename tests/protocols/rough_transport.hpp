/**
 * A transport of the tests', "rough": TCP that splits what is sent, now and then takes nothing,
 * receives more than it gives out at a time (so that no descriptor shows it), gives out little, and
 * breaks off, takes nothing more, or is late, when it is told to. Everything by chance, of a fixed
 * seed.
 */
#ifndef ROUGH_TRANSPORT_HPP
#define ROUGH_TRANSPORT_HPP

#include <atomic>
#include <cstdint>

namespace rough {

/** How many bytes its connections carry before the next breaks, which begins anew; 0: none does. */
extern std::atomic<std::int64_t> bytes_to_a_cut;
/** How many have broken. */
extern std::atomic<int> cuts;
/** How many bytes its connections take until it is set anew; below 0: any number. */
extern std::atomic<std::int64_t> room;
/** How long a thread that has received something is held up before it goes on, in milliseconds. */
extern std::atomic<int> delay_ms;

}  // namespace rough

#endif
