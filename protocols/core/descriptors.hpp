/**
 * The descriptors of this library: sockets, epolls, events. All that it opens pass through here.
 *
 * None is 0, 1 or 2, even if the program has closed those: what is written to stderr would end up
 * in a connection. A forked child finds none of its parent's: in place of each it has the end of
 * a connection that is over. So whatever the child does with what it inherited, it takes no bytes
 * from the parent's peers, sends them none, and keeps no address in use. Any thread.
 */
#ifndef SHINAR_CORE_DESCRIPTORS_HPP
#define SHINAR_CORE_DESCRIPTORS_HPP

namespace shinar::wire {

/** Takes over what was just opened, or -1; returns the descriptor to use. Keeps errno if -1. */
int adopt_descriptor(int fd) noexcept;

/** Closes what was adopted. */
void close_descriptor(int fd) noexcept;

/** In a forked child, by its only thread. */
void bury_parents_descriptors() noexcept;

}  // namespace shinar::wire
#endif
