/**
 * The objects that a process serves, as the core sees them.
 *
 * The SIDL glue implements it with sidl.rmi's registries, the unit tests with a few lambdas. All
 * functions are called from several worker threads concurrently; each may throw Error, which is
 * sent to the client.
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

/** The answer to a peer's call while it is being built: a reply, or an exception frame. */
struct Answer {
  Encoder& body;
  FrameType type = FrameType::reply;
  /** The caller, as the callee of its own objects. */
  Callee* caller = nullptr;
  /** What is left of the caller's deadline when the method begins; below 0: none. */
  std::int64_t milliseconds_left = -1;
  /** The call runs on a thread that waits within another call, whose deadline must not apply. */
  bool is_within = false;
  /** The references that it hands out. */
  Lent lent{};
  /** The caller does not wait for it: a failure is logged. */
  bool is_unheard = false;
  /** If is_unheard: what the method threw. */
  std::string failure{};
  /** References to the caller's objects that it names, kept until it has been sent; NULL: none. */
  std::unique_ptr<std::vector<std::shared_ptr<void>>> held{};
};

/** Objects to be destroyed, which may run users' destructors. */
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
    if (!things_.empty()) assert_no_lock_held("the destruction of unreferenced objects");
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

  /** Creates an object that peers can find, or puts an exception into `answer`. */
  virtual Instance create(std::string_view type, Answer& answer) = 0;

  /** The object with this id or published name. */
  virtual Instance find(std::string_view object) = 0;

  /**
   * Pins the object with this id or published name; empty if there is none. Called by threads that
   * read connections: must not wait.
   */
  virtual Pin pin(std::string_view object) = 0;

  /** The class of an object that pin() holds. */
  virtual std::string type_of(void* /*pinned*/) const { return "an object"; }

  /**
   * An object was booked that find() has found: true if it stays until forget(). It does not if the
   * last count of others was given back meanwhile.
   */
  virtual bool keep(const std::string& /*object*/) { return true; }

  /** True if clients know the object by a name that others can know, too; else the id is random. */
  virtual bool is_published(std::string_view /*object*/) const { return true; }
  /** Identifies the class of an object that pin() holds; NULL: not known. */
  virtual const void* class_of(void* /*pinned*/) const { return nullptr; }
  /**
   * "pkg.Class.method" of the method of a call whose target and method are set: first as of the
   * object's class, then of each of its ancestors that has it. Empty: whoever has a role may call
   * it, as the object model itself needs it.
   */
  virtual std::vector<std::string> names_of(const IncomingCall& call) const;

  /** Runs the method of a call whose target and method are set. May consume its message. */
  virtual void call(IncomingCall& call, Answer& answer) = 0;

  /**
   * The object strand of a call, asked before call(): calls with the same one run one at a time in
   * this process; NULL: no restriction. The address of something that lives as long as the call.
   */
  virtual const void* strand(IncomingCall& /*call*/) { return nullptr; }

  /**
   * No peer has a count on the object any more: removes it from the registry. The caller destroys
   * the returned owner later, without locks, as that may run the object's destructor.
   */
  virtual std::shared_ptr<void> forget(const std::string& id) = 0;

  /** Logs a line for the operator of the server. */
  virtual void log(const std::string& line) = 0;

  /** Whether to log details of what peers do; asked before such a line is built. */
  virtual bool logs_details() const { return false; }
  virtual void log_detail(const std::string& /*line*/) {}
};

}  // namespace shinar::wire
#endif
