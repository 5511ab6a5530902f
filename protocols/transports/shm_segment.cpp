#include "shm_segment.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>

#include "core/error.hpp"

namespace shinar::wire::shm {

/**
 * What is shared. One page has the control and the small messages of both directions: those to the
 * client begin near the end of its ring.
 */
struct Segment::Layout {
  static constexpr std::size_t near_end = ring_bytes - 1792;

  std::byte unused[ring_bytes - near_end];
  std::byte bytes_to_client[ring_bytes];
  RingControl to_server, to_client;
  std::byte bytes_to_server[ring_bytes];
};

namespace {

/** What comes with the descriptors. */
struct Note {
  std::array<char, 8> magic = {'S', 'H', 'I', 'N', 'S', 'H', 'M', '\n'};
  std::uint32_t version = 1;
  std::uint32_t ring = ring_bytes;

  bool operator==(const Note&) const = default;
};

constexpr std::size_t descriptors = 2;  // the memory, the server's end for space

/** A message of that note, with room for the descriptors. */
struct NoteMessage {
  NoteMessage() {
    header.msg_iov = &piece;
    header.msg_iovlen = 1;
    header.msg_control = control.data();
    header.msg_controllen = control.size();
  }
  NoteMessage(const NoteMessage&) = delete;
  NoteMessage& operator=(const NoteMessage&) = delete;

  Note note;
  iovec piece{&note, sizeof note};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(descriptors * sizeof(int))> control{};
  msghdr header{};
};

[[noreturn]] void fail(const char* what) {
  const int err = errno;
  throw Error(Failure::connect, std::string(what) + ": " + std::strerror(err), Fate::not_sent, err);
}

bool send_note(const Socket& socket, int memory, int space) {
  NoteMessage message;
  cmsghdr* const rights = CMSG_FIRSTHDR(&message.header);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(descriptors * sizeof(int));
  const std::array<int, descriptors> passed{memory, space};
  std::memcpy(CMSG_DATA(rights), passed.data(), sizeof passed);
  return ::sendmsg(socket.fd(), &message.header, MSG_NOSIGNAL) == sizeof message.note;
}

/** The descriptors of a message, all adopted. */
std::array<Socket, descriptors> take_descriptors(msghdr& message) {
  std::array<Socket, descriptors> taken;
  for (cmsghdr* each = CMSG_FIRSTHDR(&message); each != nullptr;
       each = CMSG_NXTHDR(&message, each)) {
    if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (each->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(each) + i * sizeof fd, sizeof fd);
      Socket one(fd);
      if (i < taken.size()) taken[i] = std::move(one);
    }
  }
  return taken;
}

/** Neither a file that may shrink, nor huge pages, which may be missing when they are touched. */
bool is_dependable(int memory, std::size_t bytes) {
  struct stat status {};
  struct statfs system {};
  const int seals = ::fcntl(memory, F_GET_SEALS);
  return seals >= 0 && (seals & F_SEAL_SHRINK) != 0 && ::fstat(memory, &status) == 0 &&
         static_cast<std::size_t>(status.st_size) == bytes && ::fstatfs(memory, &system) == 0 &&
         system.f_type == TMPFS_MAGIC;
}

/**
 * One end of a pair that the client has made. It must not be an end of a connection to a server,
 * such as the client's own end of this one, which then would not end with the client.
 */
bool is_of_pair(int fd, const Socket& socket) {
  const auto peer_of = [](int end) {
    ucred peer{};
    socklen_t size = sizeof peer;
    return ::getsockopt(end, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer.pid : -1;
  };
  const auto option = [fd](int name) {
    int value = -1;
    socklen_t size = sizeof value;
    return ::getsockopt(fd, SOL_SOCKET, name, &value, &size) == 0 ? value : -1;
  };
  sockaddr_un name{};
  socklen_t size = sizeof name;
  // The ends of a pair have no names.
  return option(SO_DOMAIN) == AF_UNIX && option(SO_TYPE) == SOCK_STREAM &&
         ::getpeername(fd, reinterpret_cast<sockaddr*>(&name), &size) == 0 &&
         size <= offsetof(sockaddr_un, sun_path) && peer_of(fd) == peer_of(socket.fd());
}

void* map(int memory, std::size_t bytes) {
  void* const at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
  return at == MAP_FAILED ? nullptr : at;
}

}  // namespace

Segment::Segment(Layout& layout, std::size_t bytes, bool is_client, Socket its_space)
    : space(std::move(its_space)),
      out(is_client ? layout.to_server : layout.to_client,
          is_client ? layout.bytes_to_server : layout.bytes_to_client,
          is_client ? 0 : Layout::near_end),
      in(is_client ? layout.to_client : layout.to_server,
         is_client ? layout.bytes_to_client : layout.bytes_to_server,
         is_client ? Layout::near_end : 0),
      out_control(is_client ? layout.to_server : layout.to_client),
      in_control(is_client ? layout.to_client : layout.to_server),
      layout_(layout),
      bytes_(bytes) {}

Segment::~Segment() {
  ::munmap(&layout_, bytes_);
}

std::unique_ptr<Segment> Segment::make(const Socket& socket) {
  constexpr std::size_t bytes = sizeof(Layout);
  const Socket memory(::memfd_create("shinar", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!memory.is_open() || ::ftruncate(memory.fd(), bytes) != 0 ||
      ::fcntl(memory.fd(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    fail("there is no shared memory");
  }
  std::array<int, 2> pair{-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) != 0) {
    fail("there is no socket for shared memory");
  }
  Socket near(pair[0]), far(pair[1]);
  void* const at = map(memory.fd(), bytes);
  if (at == nullptr) fail("shared memory cannot be mapped");
  std::unique_ptr<Segment> made(
      new Segment(*static_cast<Layout*>(at), bytes, true, std::move(near)));
  if (!send_note(socket, memory.fd(), far.fd())) fail("shared memory cannot be passed on");
  return made;
}

std::unique_ptr<Segment> Segment::receive(const Socket& socket) {
  NoteMessage message;
  const ssize_t got = ::recvmsg(socket.fd(), &message.header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (got < 0) return nullptr;
  auto passed = take_descriptors(message.header);
  constexpr std::size_t bytes = sizeof(Layout);
  errno = got == 0 ? 0 : EPROTO;
  if (got != sizeof message.note || message.note != Note{}) return nullptr;
  if (!passed[0].is_open() || !passed[1].is_open() || !is_dependable(passed[0].fd(), bytes) ||
      !is_of_pair(passed[1].fd(), socket)) {
    errno = EPROTO;
    return nullptr;
  }
  void* const at = map(passed[0].fd(), bytes);
  if (at == nullptr) return nullptr;
  return std::unique_ptr<Segment>(
      new Segment(*static_cast<Layout*>(at), bytes, false, std::move(passed[1])));
}

}  // namespace shinar::wire::shm
