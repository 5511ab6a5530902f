#include "method_numbers.hpp"

#include "decoder.hpp"

namespace shinar::wire {

void MethodTable::define(Message& message, std::uint32_t most) {
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
  name_bytes_ += method.name.size();
  if (name_bytes_ > most_name_bytes) {
    throw Limits::exceeded("bytes of the names of methods on one connection", most_name_bytes,
                           name_bytes_, nullptr);
  }
  methods_.push_back(std::make_unique<const Method>(std::move(method)));
}

}  // namespace shinar::wire
