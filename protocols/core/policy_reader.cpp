#include "policy_reader.hpp"

#include <cstdlib>

#include "error.hpp"
#include "plug_in.hpp"
#include "sidl_trust.h"

namespace shinar::wire {
namespace {

constexpr const char* reader_name = "policy";

}  // namespace

AddPolicyReader::AddPolicyReader(PolicyReader& reader, const char* release) {
  PlugIns<PolicyReader>::add(reader_name, reader, release);
}

std::shared_ptr<const Policy> policy_of_process() {
  const std::unique_ptr<char, decltype(&std::free)> file(::sidl_trust_file(sidl_trust_policy),
                                                         &std::free);
  if (file == nullptr) return nullptr;
  if (*file == '\0') {
    throw Error(Failure::protocol, std::string(::sidl_trust_variable(sidl_trust_policy)) +
                                       " is set, but names no file");
  }
  return read_policy(file.get());
}

std::shared_ptr<const Policy> read_policy(const std::string& file) {
  const auto cannot = [&](const std::string& why) {
    return Error(Failure::protocol, "the policy '" + file + "' cannot be read: " + why);
  };
  return loaded_plug_in<PolicyReader>(reader_name, "reader", cannot).read(file);
}

}  // namespace shinar::wire
