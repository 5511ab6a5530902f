// The distributed arguments of a method, between one rank and those of the other side.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/redistribution.hpp"
#include "sidl_array.hxx"
#include "sidl_ior.h"

namespace shinar::par {

// "step" or "step.t", of a method and an argument, for messages and as a key.
std::string argument_name(const sidl_method_info& method, const sidl_arg_info& argument);

struct DistributedArgument {
  int index;  // among the method's arguments
  const sidl_arg_info* info;
  std::string name;                     // "step.t"
  std::size_t element;                  // bytes
  std::optional<Redistribution> sends;  // what the rank has goes to the other side
  std::optional<Redistribution> receives;
  bool is_column_major;  // of a new piece

  struct sidl__array* array(void* const* args) const {
    return *static_cast<struct sidl__array**>(args[index]);
  }
  // A new piece of the rank, for what it receives.
  ::sidl::basearray new_piece() const;
};

class MethodPlan {
 public:
  // The distributions of an argument: that of this rank's side, and the other one.
  struct Sides {
    Distribution mine;
    Distribution theirs;
  };
  // Instead, what the ranks have found out from lists of indices.
  struct Listed {
    std::vector<Message> messages;
    std::int64_t length;  // of the rank's piece
  };
  using How = std::variant<Sides, std::shared_ptr<const Listed>>;
  enum class Role { Client, Server };

  // Throws Misfit if distributions do not fit each other or the method.
  MethodPlan(const sidl_method_info& method, Role role, int rank,
             const std::function<How(const std::string& argument)>& how);

  const std::vector<DistributedArgument>& arguments() const { return arguments_; }
  // Ranks of the other side that elements go to, or come from, ascending.
  std::vector<int> peers() const;

  // Throws Misfit if an array has elements where the rank's piece has none; others are looked at
  // when they are packed and unpacked. arrays[i] is for arguments()[i], or nil.
  void check_empty(const std::vector<::sidl::basearray>& arrays) const;

  // The elements of all that is sent to a peer, in the order of the arguments; nil if there are
  // none. arrays[i] is for arguments()[i].
  ::sidl::array<char> pack(int peer, const std::vector<::sidl::basearray>& arrays) const;
  void unpack(int peer, const ::sidl::array<char>& elements,
              const std::vector<::sidl::basearray>& arrays) const;

 private:
  // Calls work(argument's position, message, first byte) for what is exchanged with a peer, and
  // returns how many bytes it takes.
  template <typename Work>
  std::size_t each(int peer, std::optional<Redistribution> DistributedArgument::*way,
                   Work work) const;

  std::vector<DistributedArgument> arguments_;
};

bool is_distributed(const sidl_arg_info& argument);
// Whether a method has any.
bool has_distributed(const sidl_method_info& method);
// That of a class which is called "method.argument"; null: there is none.
const sidl_arg_info* find_distributed(const sidl_type_info& type, const std::string& argument);
// Throws Misfit if an argument's arrays cannot be divided so.
void check_dimension(const sidl_arg_info& info, const std::string& argument,
                     const Distribution& distribution);

// All ranks of a distribution, so that two with the same one may be taken for equal.
std::uint64_t digest_of(const Distribution& distribution);

}  // namespace shinar::par
