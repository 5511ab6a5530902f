/**
 * What a server serves: the objects behind the protocol, as the core sees them.
 *
 * The SIDL glue implements it over sidl.rmi's registries, the unit tests over a few lambdas. All
 * functions are called from worker threads, several at a time; each may throw Error, which is sent
 * to the client.
 */
#ifndef SIMHANDLE_HOST_HPP
#define SIMHANDLE_HOST_HPP

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "encoder.hpp"
#include "message.hpp"
#include "method_numbers.hpp"

namespace simhandle {

class Callee;
class Session;
class Ledger;

/** A call of a peer and its answer being put together: a reply, or an exception frame. */
struct Answer {
  Encoder& body;
  FrameType type = FrameType::reply;
  /** Whose references the answer hands out; see Ledger::book. The connection keeps it. */
  Ledger* ledger = nullptr;
  Session* session = nullptr;
  /** Who calls: the objects that live there. */
  Callee* caller = nullptr;
  /** Of the caller's deadline, when the method begins; below 0: there is none. */
  std::int64_t milliseconds_left = -1;
  /** The host has begun to take the references among the arguments over. */
  bool taken = false;
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

  /** Runs a method of an object. `arguments` may be taken apart. */
  virtual void call(std::string_view object, const Method& method, Message& arguments,
                    Answer& answer) = 0;

  /**
   * No peer has a count on the object any more: takes it out of the registry. What is returned is
   * destroyed later, without locks; it may run the object's destructor.
   */
  virtual std::shared_ptr<void> forget(const std::string& id) = 0;

  /**
   * What was to be kept for some time that is over now: taken out, and destroyed later, on a thread
   * that may run destructors. Asked again and again by one that may not.
   */
  virtual std::vector<std::shared_ptr<void>> overdue(
      std::chrono::steady_clock::time_point /*now*/) {
    return {};
  }

  /** A line for whoever runs the server. */
  virtual void log(const std::string& line) = 0;

  /** What peers do, for who wants to know it all: asked before the line is made. */
  virtual bool logs_details() const { return false; }
  virtual void log_detail(const std::string& /*line*/) {}
};

}  // namespace simhandle
#endif
