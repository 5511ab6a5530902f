/**
 * Where the members of structs lie in memory, which servers do not describe: as in C.
 */
#ifndef SIDL_TOOL_LAYOUTS_HPP
#define SIDL_TOOL_LAYOUTS_HPP

#include <map>
#include <string>
#include <vector>

#include "sidl_ior.h"
#include "types.hpp"

namespace sidl_tool {

/** The members of a struct; throws WrongAnswer if the server does not describe it. */
const Members& members_of(const TypeInfo& types, const std::string& name);

/** Tables as libsidl has them, of structs that own nothing. */
class Layouts {
 public:
  explicit Layouts(const TypeInfo& types) : types_(types) {}

  /**
   * That of a struct; throws WrongAnswer if it contains itself, or is too large, or nested too
   * deep. The size and the offsets mean nothing if it owns something.
   */
  const sidl_struct_info& find(const std::string& name);

 private:
  struct Table {
    sidl_struct_info info{};
    std::size_t alignment = 1;
    int depth = 1;  ///< of the structs in it
    std::vector<sidl_member_info> members;
  };

  const Table& table(const std::string& name);
  void add(Table& to, const std::string& name, const Type& type);

  const TypeInfo& types_;
  std::map<std::string, Table> tables_;
  int depth_ = 0;  ///< of what is being looked at
};

}  // namespace sidl_tool
#endif
