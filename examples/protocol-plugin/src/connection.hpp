/**
 * What is between two processes: one socket, over which both call each other. The frames, and the
 * keys that each has besides "op":
 *
 *     call     object, method, digest, values, homes, strand; id unless it is one-way; deadline
 * (ms) create   type, id             answered with a reference to the new object connect  object,
 * id           answered with a reference answer   id; values and homes, or thrown: an exception by
 * value release  object               gives one reference back cancel   id                   the
 * answer is not wanted any more
 *
 * homes are the ids of those objects of the receiver that the frame refers to. Objects by reference
 * are among the values as
 *
 *     {"home": id}             an object of the receiver
 *     {"lent": id, "type": class, "url": url or ""}
 *                              an object of the sender, which counts one for the receiver
 *     {"at": url, "lent": id}  an object elsewhere; the sender's own reference to it is lent until
 *                              the receiver has one
 *     null
 *
 * and objects by value as {"classes": [class, its parent, ...], "state": [value, ...]} or null.
 */
#pragma once

#include <unistd.h>

#include <map>

#include "sidl_BaseClass.hxx"
#include "sidl_connection.hxx"
#include "sidl_rmi_Return.hxx"
#include "socket.hpp"

namespace jsonsock {

class Connection;
class Outgoing_impl;

/** A frame that came in, and what keeps the objects here to which it refers. */
struct Message {
  json body;
  std::map<std::string, sidl::BaseClass> homes;
  std::shared_ptr<Connection> sender;

  Message(json body, std::shared_ptr<Connection> sender);
  Message(Message&&) = default;
  Message& operator=(Message&&) = default;
  /** Gives back what is lent in it; what was taken has been replaced by null. */
  ~Message();
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  /** The connection of this process to the server at `path`: made when it is first needed. */
  static std::shared_ptr<Connection> to(const std::string& path);

  explicit Connection(int fd) : socket_(fd) {}
  /** Begins to read. */
  void start();
  /** Lets the calls in work finish and refuses others; false if some did not. */
  bool drain(double seconds);

  using Answers = sidl::protocol::answers<std::shared_ptr<Message>>;
  /** Sends a frame that is answered. `deadline_ms` 0: there is none. */
  Answers::asked ask(json frame, std::int64_t deadline_ms);
  /** Sends a frame that is not. */
  void tell(const json& frame);

  sidl::protocol::loans lent;  ///< to the peer

 private:
  void read();
  void handle(std::shared_ptr<Message> message);
  void execute(const std::shared_ptr<Message>& message);
  void run(const std::shared_ptr<Message>& message, Outgoing_impl& answer,
           const sidl::rmi::Return& ret);

  const Socket socket_;
  const pid_t process_ = ::getpid();  ///< a child of it has no part in the connection
  std::mutex writing_;
  std::atomic<bool> refuses_{false};
  Answers answers_;
  sidl::protocol::strands calls_;
};

}  // namespace jsonsock
