/**
 * What a server serves: the objects behind the protocol, as the core sees them.
 *
 * The SIDL glue implements it over sidl.rmi's registries, the unit tests over a few lambdas. All
 * functions are called from worker threads, several at a time; each may throw Error, which is sent
 * to the client.
 */
#ifndef SHINAR_CORE_HOST_HPP
#define SHINAR_CORE_HOST_HPP

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checked_mutex.hpp"
#include "encoder.hpp"
#include "lent.hpp"
#include "message.hpp"
#include "method_numbers.hpp"
#include "pin.hpp"

namespace shinar::wire {

class Callee;
struct IncomingCall;

/** A call of a peer and its answer being put together: a reply, or an exception frame. */
struct Answer {
  Encoder& body;
  FrameType type = FrameType::reply;
  /** Who calls: the objects that live there. */
  Callee* caller = nullptr;
  /** Of the caller's deadline, when the method begins; below 0: there is none. */
  std::int64_t milliseconds_left = -1;
  /** It runs on a thread that waits in the midst of another call, whose deadline is not its own. */
  bool is_within = false;
  /** The references that it hands out. */
  Lent lent{};
  /** The caller does not wait for it: whoever runs the server is told if the call failed. */
  bool is_unheard = false;
  /** Then: what the method has thrown. */
  std::string failure{};
  /** What refers to the caller's objects that it names: not given back before it has left. */
  std::vector<std::shared_ptr<void>> held{};
};

/** Things that have come to their end: destroying them may run destructors of users. */
class Ended {
 public:
  Ended() = default;
  explicit Ended(std::shared_ptr<void> one) { add(std::move(one)); }
  Ended(Ended&&) = default;
  Ended& operator=(Ended&& other) noexcept {
    things_.swap(other.things_);
    return *this;
  }
  ~Ended() {
    if (!things_.empty()) assert_no_lock_held("the end of what nobody refers to any more");
  }

  void add(std::shared_ptr<void> one) { things_.push_back(std::move(one)); }
  void add(Ended&& others) {
    for (auto& each : others.things_) things_.push_back(std::move(each));
    others.things_.clear();
  }
  bool empty() const { return things_.empty(); }
  std::size_t size() const { return things_.size(); }

 private:
  std::vector<std::shared_ptr<void>> things_;
};

struct Instance {
  std::string id;  ///< empty: there is none
  std::string type;
};

class Host {
 public:
  virtual ~Host() = default;

  /** Makes an object that peers can find; or puts an exception into `answer`. */
  virtual Instance create(std::string_view type, Answer& answer) = 0;

  /** The object with this id or published name. */
  virtual Instance find(std::string_view object) = 0;

  /**
   * The object with this id or published name, held; an empty pin if there is none. By threads that
   * read connections: it must not wait.
   */
  virtual Pin pin(std::string_view object) = 0;

  /** The class of an object that pin() holds. */
  virtual std::string type_of(void* /*pinned*/) const { return "an object"; }

  /** Runs the method of a call, whose target and method are there. Its message may be taken apart.
   */
  virtual void call(IncomingCall& call, Answer& answer) = 0;

  /**
   * Asked before call(): calls for which this is the same run one at a time in this process; NULL:
   * whenever they come. It is the address of something that is there as long as the call.
   */
  virtual const void* strand(IncomingCall& /*call*/) { return nullptr; }

  /**
   * No peer has a count on the object any more: takes it out of the registry. What is returned is
   * destroyed later, without locks; it may run the object's destructor.
   */
  virtual std::shared_ptr<void> forget(const std::string& id) = 0;

  /** A line for whoever runs the server. */
  virtual void log(const std::string& line) = 0;

  /** What peers do, for who wants to know it all: asked before the line is made. */
  virtual bool logs_details() const { return false; }
  virtual void log_detail(const std::string& /*line*/) {}
};

}  // namespace shinar::wire
#endif
