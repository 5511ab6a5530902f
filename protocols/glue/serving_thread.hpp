/**
 * A thread that ends when the server does. Programs written for Babel join what run() returns:
 * they know no other way to wait for the end of their server.
 */
#ifndef SHINAR_GLUE_SERVING_THREAD_HPP
#define SHINAR_GLUE_SERVING_THREAD_HPP

#include <cstdint>
#include <memory>

namespace shinar::wire {

/** Any thread, one at a time. */
class ServingThread {
 public:
  ServingThread() = default;
  ServingThread(const ServingThread&) = delete;
  ServingThread& operator=(const ServingThread&) = delete;
  ~ServingThread() { end(); }

  /**
   * Starts it unless it runs, and gives its pthread_t. It is for the caller to join, or not; 0 if
   * there is no thread to be had: the server serves all the same.
   */
  std::int64_t start();
  void end() noexcept;

 private:
  struct State;
  std::shared_ptr<State> state_;
  std::int64_t id_ = 0;
};

}  // namespace shinar::wire
#endif
