#include "test_host.hpp"

#include <chrono>
#include <memory>
#include <thread>
#include <vector>

using namespace shinar::wire;

Instance TestHost::create(std::string_view type, Answer&) {
  if (type != "test.Thing") {
    throw Error(Failure::protocol, "class '" + std::string(type) + "' is not exported");
  }
  const std::lock_guard lock(mutex_);
  std::string id = "object-" + std::to_string(next_++);
  objects_.insert(id);
  return {id, "test.Thing"};
}

Instance TestHost::find(std::string_view object) {
  const std::lock_guard lock(mutex_);
  if (object == "public") return {"public", "test.Thing"};
  return objects_.contains(std::string(object)) ? Instance{std::string(object), "test.Thing"}
                                                : Instance{};
}

Pin TestHost::pin(std::string_view object) {
  if (find(object).id.empty()) return {};
  return {new std::string(object), [](void* held) { delete static_cast<std::string*>(held); }};
}

void TestHost::call(IncomingCall& call, Answer& answer) {
  const Method& method = *call.method;
  Decoder decoder(call.message);
  decoder.get_name();
  if (method.name == "add") {
    const auto a = decoder.get<std::int32_t>();
    answer.body.put(a + decoder.get<std::int32_t>());
  } else if (method.name == "echo") {
    Decoder::Array array = decoder.get_array(Kind::double_);
    if (array.block != nullptr) {
      auto owner = std::make_shared<Block>(std::move(*array.block));
      answer.body.put_array(array.shape, Bulk::owned(owner->data(), owner->size(), owner));
    } else {
      answer.body.put_array(array.shape, Bulk::lent(array.data, array.count * 8));
    }
  } else if (method.name == "sleep") {
    sleep(std::chrono::milliseconds(decoder.get<std::int32_t>()));
  } else if (method.name == "hold") {
    hold();
  } else if (method.name == "alone") {
    if (++alone_ > 1) ++overlaps;
    std::this_thread::sleep_for(std::chrono::milliseconds(decoder.get<std::int32_t>()));
    --alone_;
  } else if (method.name.starts_with("circle")) {
    circle(decoder, method.name, answer);
  } else if (method.name == "note") {
    std::this_thread::sleep_for(std::chrono::milliseconds(decoder.get<std::int32_t>()));
    const std::lock_guard lock(mutex_);
    notes_.push_back(decoder.get<std::int32_t>());
  } else if (method.name == "bounce") {
    bounce(decoder, answer);
  } else if (method.name == "slowly_back") {
    Call("public", "sleep").with(decoder.get<std::int32_t>()).run(*answer.caller);
  } else if (method.name == "slowly_back_by") {
    Call back("public", "sleep");
    back.deadline = std::chrono::milliseconds(decoder.get<std::int32_t>());
    back.with(decoder.get<std::int32_t>()).run(*answer.caller);
  } else if (method.name == "slowly_back_to_hold") {
    Call("public", "hold").run(*answer.caller);
  } else if (method.name == "left") {
    answer.body.put(answer.milliseconds_left);
  } else if (method.name == "fail") {
    throw Error(Failure::protocol, std::string(decoder.get_name()), Fate::executed);
  } else if (method.name == "grow") {
    ++grown;
    const std::vector<double> values(static_cast<std::size_t>(decoder.get<std::int64_t>()), 1.5);
    auto owner = std::make_shared<std::vector<double>>(values);
    ArrayShape shape;
    shape.kind = Kind::double_;
    shape.order = Order::row;
    shape.dimension = 1;
    shape.upper[0] = static_cast<std::int32_t>(owner->size()) - 1;
    answer.body.put_array(shape, Bulk::owned(owner->data(), owner->size() * 8, owner));
  }
}

void TestHost::sleep(std::chrono::milliseconds time) {
  const int now = ++asleep_;
  for (int most = most_asleep; most < now && !most_asleep.compare_exchange_weak(most, now);) {
  }
  std::this_thread::sleep_for(time);
  --asleep_;
}

void TestHost::hold() {
  std::unique_lock lock(mutex_);
  ++holding;
  released_.wait(lock, [this] { return release_; });
  --holding;
}

/** 1 + what the method returns for `depth` - 1. */
std::int32_t TestHost::go_on(Callee& callee, const std::string& method, std::int32_t depth) {
  if (begins == 0) {
    Message answer = Call("public", method).with(depth - 1).run(callee);
    return 1 + Decoder(answer).get<std::int32_t>();
  }
  std::vector<std::unique_ptr<PendingCall>> calls;
  for (int i = 0; i < begins; ++i) {
    calls.push_back(Call("public", method).with(depth - 1).begin(callee));
  }
  for (const auto& each : calls) {
    while (polls && !each->is_over()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  std::int32_t result = 0;
  for (const auto& each : calls) result = 1 + Decoder(each->answer()).get<std::int32_t>();
  return result;
}

const void* TestHost::strand(IncomingCall& call) {
  if (!serializes || call.message.type() == FrameType::create) return nullptr;
  const std::lock_guard lock(mutex_);
  return &strands_.try_emplace(std::string(Decoder(call.message).get_name())).first->second;
}

void TestHost::circle(Decoder& decoder, const std::string& method, Answer& answer) {
  const auto depth = decoder.get<std::int32_t>();
  {
    const std::lock_guard lock(mutex_);
    circlers_.insert(std::this_thread::get_id());
  }
  std::int32_t result = 0;
  if (depth > 0) {
    result = go_on(*next, method, depth);
  } else if (method == "circle_to_hold") {
    hold();
  }
  answer.body.put(result);
}

std::size_t TestHost::circlers() {
  const std::lock_guard lock(mutex_);
  return circlers_.size();
}

void TestHost::bounce(Decoder& decoder, Answer& answer) {
  const auto depth = decoder.get<std::int32_t>();
  {
    const std::lock_guard lock(mutex_);
    bouncers_.insert(std::this_thread::get_id());
  }
  std::int32_t result = 0;
  if (depth > 0) result = go_on(back(answer), "bounce", depth);
  answer.body.put(result);
}

std::vector<int> TestHost::notes() {
  const std::lock_guard lock(mutex_);
  return notes_;
}

std::size_t TestHost::bouncers() {
  const std::lock_guard lock(mutex_);
  return bouncers_.size();
}

std::shared_ptr<void> TestHost::forget(const std::string& id) {
  const std::lock_guard lock(mutex_);
  objects_.erase(id);
  return nullptr;
}

void TestHost::log(const std::string& line) {
  const std::lock_guard lock(mutex_);
  lines_.push_back(line);
}

std::size_t TestHost::object_count() {
  const std::lock_guard lock(mutex_);
  return objects_.size();
}

int TestHost::count_logged(const std::string& part) {
  const std::lock_guard lock(mutex_);
  int count = 0;
  for (const std::string& line : lines_) count += line.find(part) != std::string::npos ? 1 : 0;
  return count;
}

void TestHost::release_holds() {
  const std::lock_guard lock(mutex_);
  release_ = true;
  released_.notify_all();
}

void put_doubles(Encoder& encoder, const std::vector<double>& values,
                 std::shared_ptr<const void> owner) {
  ArrayShape shape;
  shape.kind = Kind::double_;
  shape.order = Order::row;
  shape.dimension = 1;
  shape.upper[0] = static_cast<std::int32_t>(values.size()) - 1;
  const std::size_t size = values.size() * 8;
  encoder.put_array(shape, owner == nullptr ? Bulk::lent(values.data(), size)
                                            : Bulk::owned(values.data(), size, std::move(owner)));
}

std::vector<double> get_doubles(Message& message) {
  Decoder decoder(message);
  const Decoder::Array array = decoder.get_array(Kind::double_);
  const std::byte* const data = array.block != nullptr ? array.block->data() : array.data;
  std::vector<double> values(array.count);
  if (array.count != 0) std::memcpy(values.data(), data, array.count * 8);
  return values;
}
