/**
 * The file descriptors of this library: sockets, epolls, events. Each one it opens is adopted here.
 *
 * None is 0, 1 or 2, even if the program has closed those: output to stderr would end up in a
 * connection. In a forked child each is replaced by one end of a closed connection, so whatever the
 * child does with what it inherited, it reads nothing from the parent's peers, sends them nothing,
 * and keeps no address in use. Any thread.
 */
#ifndef SHINAR_CORE_DESCRIPTORS_HPP
#define SHINAR_CORE_DESCRIPTORS_HPP

namespace shinar::wire {

/** Takes over a descriptor just opened, or -1; returns the one to use. Preserves errno if -1. */
int adopt_descriptor(int fd) noexcept;

/** Closes an adopted descriptor. */
void close_descriptor(int fd) noexcept;

/** In a forked child: replaces the parent's descriptors. Called by its only thread. */
void replace_parents_descriptors() noexcept;

}  // namespace shinar::wire
#endif
