/**
 * A file, mapped by several processes, that outlives each of them: for each call, by its number,
 * what became of it. The server notes that it ran, the client what it heard of it.
 */
#ifndef WIRE_COUNTS_HPP
#define WIRE_COUNTS_HPP

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

/** One byte for each call, so that tests can compare the files of both sides as they are. */
class Counts {
 public:
  explicit Counts(const char* path) {
    const int fd = path == nullptr ? -1 : ::open(path, O_RDWR | O_CLOEXEC);
    struct stat status {};
    if (fd < 0 || ::fstat(fd, &status) != 0) fail(path);
    size_ = static_cast<std::size_t>(status.st_size);
    void* const memory = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) fail(path);
    ::close(fd);
    bytes_ = static_cast<std::atomic<std::uint8_t>*>(memory);
  }

  std::size_t size() const { return size_; }
  std::atomic<std::uint8_t>& operator[](std::size_t number) const {
    if (number >= size_) fail("a number beyond the file");
    return bytes_[number];
  }

 private:
  [[noreturn]] static void fail(const char* what) {
    std::perror(what == nullptr ? "no file of counts" : what);
    std::abort();
  }

  std::size_t size_ = 0;
  std::atomic<std::uint8_t>* bytes_ = nullptr;
};

#endif
