#include "method_numbers.hpp"

#include "decoder.hpp"

namespace shinar::wire {

void MethodTable::define(Message& message, std::uint32_t most, Account* account) {
  if (methods_.size() >= most) {
    throw Limits::exceeded("methods named on one connection", most, methods_.size() + 1, nullptr);
  }
  if (message.header.method != methods_.size() + 1) {
    throw malformed("methods are not numbered consecutively");
  }
  Decoder decoder(message);
  Method method;
  method.digest = decoder.get<std::uint64_t>();
  method.name = decoder.get_name();
  const std::uint64_t bytes = name_bytes_ + method.name.size();
  if (bytes > most_name_bytes) {
    throw Limits::exceeded("bytes of the names of methods on one connection", most_name_bytes,
                           bytes, nullptr);
  }
  if (account != nullptr) account->charge(method.name.size() + bytes_each);
  name_bytes_ = bytes;
  methods_.push_back(std::make_unique<const Method>(std::move(method)));
}

}  // namespace shinar::wire
