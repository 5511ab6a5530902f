#include "impl/method_plan.hpp"

#include <set>

#include "core/digest.hpp"
#include "impl/values.hpp"
#include "sidl_struct_array.h"

namespace shinar::par {
namespace {

// Elements of different arguments are aligned as memory is.
std::size_t aligned(std::size_t offset) {
  constexpr std::size_t alignment = 16;
  return (offset + alignment - 1) / alignment * alignment;
}

std::size_t element_bytes(const sidl_type_ref& type) {
  return type.element == sidl_kind_struct
             ? type.structure->size
             : sidl__array_element_size(sidl_array_type_of(type.element));
}

}  // namespace

std::string argument_name(const sidl_method_info& method, const sidl_arg_info& argument) {
  return std::string(method.name) + "." + argument.name;
}

bool is_distributed(const sidl_arg_info& argument) {
  return argument.type.kind == sidl_kind_array && (argument.type.flags & sidl_ref_distributed) != 0;
}

bool has_distributed(const sidl_method_info& method) {
  for (int i = 0; i < method.arg_count; ++i) {
    if (is_distributed(method.args[i])) return true;
  }
  return false;
}

const sidl_arg_info* find_distributed(const sidl_type_info& type, const std::string& argument) {
  for (int slot = 0; slot < type.slot_count; ++slot) {
    const sidl_method_info& method = *type.slots[slot];
    for (int i = 0; i < method.arg_count; ++i) {
      const sidl_arg_info& each = method.args[i];
      if (is_distributed(each) && argument_name(method, each) == argument) return &each;
    }
  }
  return nullptr;
}

void check_dimension(const sidl_arg_info& info, const std::string& argument,
                     const Distribution& distribution) {
  if (distribution.dimension() == info.type.dimension) return;
  throw Misfit("'" + argument + "' has " + std::to_string(info.type.dimension) +
               (info.type.dimension == 1 ? " dimension" : " dimensions") +
               "; its distribution is of " + distribution.text());
}

::sidl::basearray DistributedArgument::new_piece() const {
  const sidl_type_ref& type = info->type;
  std::vector<std::int64_t> upper = receives->lengths();
  for (std::int64_t& each : upper) --each;
  const std::vector<std::int64_t> lower(upper.size(), 0);
  const auto dimen = static_cast<int32_t>(upper.size());
  const int32_t usual = is_column_major ? sidl_column_major_order : sidl_row_major_order;
  const int32_t order = type.order != 0 ? int32_t{type.order} : usual;
  ::sidl::basearray made(
      type.element == sidl_kind_struct
          ? sidl_struct__array_create(type.structure, order, dimen, lower.data(), upper.data())
          : sidl__array_create(sidl_array_type_of(type.element), order, dimen, lower.data(),
                               upper.data()));
  if (made._is_nil()) throw std::bad_alloc();
  return made;
}

namespace {

struct Ways {
  bool sends;
  bool receives;
};

void divide(DistributedArgument& argument, const MethodPlan::Sides& both, int rank, Ways ways) {
  using Side = Redistribution::Side;
  check_dimension(*argument.info, argument.name, both.mine);
  if (both.mine.bounds() != both.theirs.bounds()) {
    throw Misfit("'" + argument.name + "' is an array " + both.mine.bounds().text() +
                 " on this side, and " + both.theirs.bounds().text() + " on the other");
  }
  argument.is_column_major = both.mine.is_column_major();
  if (ways.sends) argument.sends.emplace(both.mine, both.theirs, Side::Sends, rank);
  if (ways.receives) argument.receives.emplace(both.theirs, both.mine, Side::Receives, rank);
}

void divide(DistributedArgument& argument, const std::shared_ptr<const MethodPlan::Listed>& listed,
            int rank, Ways ways) {
  if (argument.info->type.dimension != 1) {
    throw Misfit("'" + argument.name + "' has " + std::to_string(argument.info->type.dimension) +
                 " dimensions; lists of indices divide arrays of one dimension");
  }
  if (ways.sends) argument.sends.emplace(listed->messages, listed->length, rank);
  if (ways.receives) argument.receives.emplace(listed->messages, listed->length, rank);
}

}  // namespace

MethodPlan::MethodPlan(const sidl_method_info& method, Role role, int rank,
                       const std::function<How(const std::string&)>& how) {
  for (int i = 0; i < method.arg_count; ++i) {
    const sidl_arg_info& info = method.args[i];
    if (!is_distributed(info)) continue;
    const bool goes_in = info.mode != sidl_mode_out;
    const bool comes_out = info.mode != sidl_mode_in;
    const bool sends = role == Role::Client ? goes_in : comes_out;
    const bool receives = role == Role::Client ? comes_out : goes_in;
    const std::string name = argument_name(method, info);
    DistributedArgument argument{i, &info, name, element_bytes(info.type), {}, {}, false};
    const How found = how(name);
    std::visit([&](const auto& each) { divide(argument, each, rank, {sends, receives}); }, found);
    arguments_.push_back(std::move(argument));
  }
}

std::vector<int> MethodPlan::peers() const {
  std::set<int> all;
  for (const DistributedArgument& each : arguments_) {
    for (const auto* way : {&each.sends, &each.receives}) {
      if (!*way) continue;
      for (const Message& message : (*way)->messages()) all.insert(message.peer);
    }
  }
  return {all.begin(), all.end()};
}

void MethodPlan::check_empty(const std::vector<::sidl::basearray>& arrays) const {
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    const DistributedArgument& each = arguments_[i];
    const Redistribution& plan = each.sends ? *each.sends : *each.receives;
    if (plan.messages().empty()) par::check_empty(arrays[i], plan, each.name.c_str());
  }
}

template <typename Work>
std::size_t MethodPlan::each(int peer, std::optional<Redistribution> DistributedArgument::*way,
                             Work work) const {
  std::size_t offset = 0;
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    const auto& plan = arguments_[i].*way;
    const Message* const message = plan ? plan->with(peer) : nullptr;
    if (message == nullptr) continue;
    offset = aligned(offset);
    work(i, *message, offset);
    offset += static_cast<std::size_t>(message->size) * arguments_[i].element;
  }
  return offset;
}

::sidl::array<char> MethodPlan::pack(int peer, const std::vector<::sidl::basearray>& arrays) const {
  constexpr auto way = &DistributedArgument::sends;
  const std::size_t size = each(peer, way, [](std::size_t, const Message&, std::size_t) {});
  if (size == 0) return {};
  auto result = ::sidl::array<char>::create1d(static_cast<std::int64_t>(size));
  auto* const first = static_cast<std::byte*>(sidl__array_first(result._get_baseior()));
  each(peer, way, [&](std::size_t i, const Message& message, std::size_t offset) {
    const Redistribution& plan = *arguments_[i].sends;
    plan.pack(message, storage_of(arrays[i], plan, arguments_[i].name.c_str()), first + offset);
  });
  return result;
}

void MethodPlan::unpack(int peer, const ::sidl::array<char>& elements,
                        const std::vector<::sidl::basearray>& arrays) const {
  constexpr auto way = &DistributedArgument::receives;
  const std::size_t size = each(peer, way, [](std::size_t, const Message&, std::size_t) {});
  const std::int64_t come = elements._is_nil() ? 0 : elements.length64(0);
  if (come != static_cast<std::int64_t>(size)) {
    throw Misfit("rank " + std::to_string(peer) + " of the other side has sent " +
                 std::to_string(come) + " bytes of distributed arrays instead of " +
                 std::to_string(size));
  }
  if (size == 0) return;
  const auto* const first =
      static_cast<const std::byte*>(sidl__array_first(elements._get_baseior()));
  if (first == nullptr || elements.dimen() != 1 || elements.stride64(0) != 1) {
    throw Misfit("rank " + std::to_string(peer) +
                 " of the other side has sent bytes that are not in a row");
  }
  each(peer, way, [&](std::size_t i, const Message& message, std::size_t offset) {
    const Redistribution& plan = *arguments_[i].receives;
    plan.unpack(message, first + offset, storage_of(arrays[i], plan, arguments_[i].name.c_str()));
  });
}

std::uint64_t digest_of(const Distribution& distribution) {
  Digest digest;
  const std::string text = distribution.text();
  digest.add(text.data(), text.size());
  digest.add(distribution.is_column_major() ? 1 : 0);
  const std::vector<std::int64_t> origin(static_cast<std::size_t>(distribution.dimension()), 0);
  for (int rank = 0; rank < distribution.ranks(); ++rank) {
    const Piece piece = distribution.piece(rank);
    digest.add(size_of(piece));
    if (size_of(piece) == 0) continue;
    for (const std::int64_t each : distribution.index(rank, origin)) digest.add(each);
    for (const Part& part : piece) digest.add(part.size());
  }
  return digest.value();
}

}  // namespace shinar::par
