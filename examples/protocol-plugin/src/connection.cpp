#include "connection.hpp"

#include "jsonsock_Incoming_Impl.hxx"
#include "jsonsock_Outgoing_Impl.hxx"
#include "sidl_rmi_ExportRegistry.hxx"
#include "sidl_rmi_InstanceRegistry.hxx"
#include "sidl_rmi_ObjectDoesNotExistException.hxx"

namespace jsonsock {

using sidl::protocol::fail;
using sidl::rmi::InstanceRegistry;

namespace {

void give_back(Connection& sender, const json& value) {
  if (value.is_object() && value.contains("lent") && !value["lent"].is_null()) {
    sender.tell({{"op", "release"}, {"object", value["lent"]}});
  }
  if (!value.is_structured()) return;
  for (const json& each : value) give_back(sender, each);
}

}  // namespace

// At once: a release that comes next must not take the objects away before they are used.
Message::Message(json frame, std::shared_ptr<Connection> from)
    : body(std::move(frame)), sender(std::move(from)) {
  for (const json& id : body.value("homes", json::array())) {
    homes[id] = InstanceRegistry::getInstance(id.get<std::string>());
  }
}

Message::~Message() {
  try {
    if (sender) give_back(*sender, body);
  } catch (const std::exception&) {
    // The connection has ended, and with it what was lent.
  }
}

std::shared_ptr<Connection> Connection::to(const std::string& path) {
  static auto& mutex = *new std::mutex;  // never destroyed: calls may be made late in exit
  static auto& known = *new std::map<std::string, std::shared_ptr<Connection>>;
  const std::lock_guard lock(mutex);
  std::shared_ptr<Connection>& connection = known[path];
  if (connection && !connection->answers_.has_ended() && connection->process_ == ::getpid()) {
    return connection;
  }
  connection = std::make_shared<Connection>(Socket::connect(path));
  connection->start();
  return connection;
}

void Connection::start() {
  std::thread([self = shared_from_this()] { self->read(); }).detach();
}

void Connection::read() {
  std::string why;
  try {
    for (;;) handle(std::make_shared<Message>(socket_.read(), shared_from_this()));
  } catch (const std::exception& error) {
    why = error.what();
  }
  socket_.shut_down();
  answers_.end(why);
  calls_.wait(std::nullopt);
  lent.end();
}

bool Connection::drain(double seconds) {
  refuses_ = true;
  const bool finished = calls_.wait(std::chrono::duration<double>(seconds));
  socket_.shut_down();
  return finished;
}

Connection::Answers::asked Connection::ask(json frame, std::int64_t deadline_ms) {
  const auto asked = answers_.ask(deadline_ms);
  frame["id"] = asked.first;
  if (deadline_ms > 0) frame["deadline"] = deadline_ms;
  tell(frame);
  return asked;
}

void Connection::tell(const json& frame) {
  if (process_ != ::getpid()) {
    fail<sidl::rmi::UnexpectedCloseException>("the connection is the parent process's");
  }
  const std::lock_guard lock(writing_);
  socket_.write(frame);
}

/** Never waits: who reads may be the one for whom all others wait. */
void Connection::handle(std::shared_ptr<Message> message) {
  const json& body = message->body;
  const std::string op = body.at("op");
  const std::int64_t id = body.value("id", std::int64_t{0});
  if (op == "cancel") return calls_.cancel(id);
  if (op == "answer") {
    if (answers_.complete(id, message)) return;
    return calls_.run("late", [late = std::move(message)] {});  // gives back, which may wait
  }
  const std::string strand =
      op == "call" ? body.at("object").get<std::string>() + ' ' + body.at("strand").dump() : op;
  const auto job = [this, message] {
    try {
      execute(message);
    } catch (const std::exception&) {
      socket_.shut_down();  // the frame makes no sense, or the answer cannot be sent
    }
  };
  calls_.run(strand, job, id);
}

void Connection::execute(const std::shared_ptr<Message>& message) {
  const json& body = message->body;
  if (body["op"] == "release") return lent.take_back(body.at("object"));
  const Outgoing ret = Outgoing::_create();
  auto& answer = sidl::protocol::impl_of<Outgoing_impl>(ret);
  answer.begin(shared_from_this(), {{"op", "answer"}, {"id", body.value("id", json())}});
  try {
    if (refuses_) fail<sidl::rmi::ProtocolException>("the server takes no more calls");
    run(message, answer, ret);
  } catch (const sidl::BaseException& thrown) {
    ret.throwException(thrown);
  }
  if (body.contains("id")) tell(answer.frame());
}

void Connection::run(const std::shared_ptr<Message>& message, Outgoing_impl& answer,
                     const sidl::rmi::Return& ret) {
  const json& call = message->body;
  if (call["op"] == "create") {
    sidl::BaseInterface object = sidl::rmi::ExportRegistry::createInstance(call.at("type"));
    return answer.packObject_impl("object", object);
  }
  const std::string id = call.at("object");
  const auto home = message->homes.find(id);
  sidl::BaseInterface object =
      home != message->homes.end() ? home->second : InstanceRegistry::getInstance(id);
  if (object._is_nil()) {
    fail<sidl::rmi::ObjectDoesNotExistException>("there is no object '" + id + "' here");
  }
  if (call["op"] == "connect") return answer.packObject_impl("object", object);
  const sidl::protocol::inherited_deadline deadline(call.value("deadline", std::int64_t{-1}));
  sidl::protocol::dispatch(object, call.at("method"), call.at("digest"), Incoming_impl::of(message),
                           ret);
}

}  // namespace jsonsock
