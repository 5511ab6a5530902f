#include "impl/collective_call.hpp"

#include <algorithm>
#include <thread>

#include "impl/deadlines.hpp"
#include "impl/misfits.hpp"
#include "impl/urls.hpp"
#include "sidl_par_CallValues_Impl.hxx"
#include "sidl_protocol.hxx"
#include "sidl_rmi_CancelledException.hxx"
#include "sidl_rmi_TicketBookI.hxx"
#include "sidl_rmi_UnexpectedCloseException.hxx"

namespace shinar::par {
namespace {

using ::sidl::exception_slot;
using ::sidl::par::CallValues;

// That others have given a call up says less than why they have, and arguments that a rank refuses
// are why.
constexpr std::int64_t kGivenUp = std::int64_t{1} << 31;
constexpr std::int64_t kRefused = -kGivenUp;

// Whether the rank may not have run the method, so that others may wait for it.
bool may_not_have_run(const ::sidl::BaseException& thrown) {
  const auto failure = ::sidl::babel_cast<::sidl::rmi::NetworkException>(thrown);
  return failure._not_nil() && failure.getFate() != ::sidl::rmi::RequestFate_executed;
}

}  // namespace

CollectiveCall::CollectiveCall(ParallelClient& client, const sidl_method_info& method,
                               const ParallelClient::Plan& plan, void* const* args)
    : client_(client),
      method_(method),
      plan_(plan),
      args_(args),
      plain_args_(args, args + method.arg_count) {
  if (plan_.distributed != nullptr) {
    const auto& distributed = plan_.distributed->arguments();
    nulls_.resize(distributed.size());
    for (std::size_t i = 0; i < distributed.size(); ++i) {
      struct sidl__array* const piece =
          distributed[i].info->mode == sidl_mode_out ? nullptr : distributed[i].array(args);
      sidl__array_addRef(piece);
      pieces_.emplace_back(piece);
      plain_args_[static_cast<std::size_t>(distributed[i].index)] = &nulls_[i];
    }
  }
  try {
    translated([this] {
      if (plan_.distributed != nullptr) plan_.distributed->check_empty(pieces_);
      return 0;
    });
    put_arguments();
  } catch (const ::sidl::BaseException& thrown) {
    outcome_ = {true, kRefused + client_.rank(),
                ::sidl::babel_cast<::sidl::io::Serializable>(thrown)};
  }
}

void CollectiveCall::put_arguments() {
  Items items;
  ItemSink sink = sink_of(items, false);
  exception_slot ex;
  sidl_rmi_put_arguments(&sink.base, &method_, plain_args_.data(), ex.ptr());
  ex.check<>();
  arguments_ = values_of(std::move(items));
}

// A line for what is called, and one for each argument: its name, and its digest.
std::string CollectiveCall::text() const {
  std::string text = "a call of '" + std::string(method_.name) + "'\n";
  for (int i = 0; i < method_.arg_count; ++i) {
    sidl_method_info alone = method_;
    alone.args = &method_.args[i];
    alone.arg_count = 1;
    Items items;
    ItemSink sink = sink_of(items, false);
    exception_slot ex;  // what cannot be put is refused when the call begins
    sidl_rmi_put_arguments(&sink.base, &alone, &plain_args_[static_cast<std::size_t>(i)], ex.ptr());
    text += std::string(method_.args[i].name) + " " + std::to_string(digest_of(items)) + "\n";
  }
  return text;
}

std::string CollectiveCall::difference_of(const std::string& first) const {
  const std::string mine = text();
  const std::string both = "rank " + std::to_string(client_.rank()) + " and rank 0 ";
  const auto at = std::ranges::mismatch(mine, first).in1 - mine.begin();
  const std::size_t line = mine.rfind('\n', static_cast<std::size_t>(at)) + 1;
  if (first.find('\n') == std::string::npos || line == 0) {
    return both + "have come to a call of '" + method_.name +
           "', and only one of them has called Group.distribute before";
  }
  return both + "have different values of '" + mine.substr(line, mine.find(' ', line) - line) +
         "' in a call of '" + method_.name + "': all ranks pass the same";
}

void CollectiveCall::refuse(const Letter& why) {
  if (outcome_.failed) return;
  outcome_ = why;
  outcome_.priority = kRefused + client_.rank();
}

Letter CollectiveCall::run(std::int64_t number) {
  number_ = number;
  if (outcome_.failed) {
    give_up(reason_of(outcome_));
    return std::move(outcome_);
  }
  outcome_.priority = static_cast<std::int64_t>(method_.digest >> 1);
  // Waiting for several answers at a time may end by itself, if a signal's handler wants the
  // thread.
  const Letter ended = attempt(Letter::kOfRanks + client_.rank(), [this] { call_all(); });
  if (ended.failed && !outcome_.failed) {
    outcome_ = ended;
    auto thrown = ::sidl::babel_cast<::sidl::BaseException>(ended.content);
    thrown.setNote("'" + std::string(method_.name) + "', called by rank " +
                   std::to_string(client_.rank()) + ": " + thrown.getNote());
    give_up(reason_of(thrown));
  }
  return std::move(outcome_);
}

void CollectiveCall::call_all() {
  if (plan_.peers.size() == 1) return call_one(plan_.peers.front());
  // What is in this process runs at once, and may wait for others.
  for (const bool is_local : {false, true}) {
    for (const int rank : plan_.peers) {
      if (outcome_.failed || client_.attachment(rank)._isLocal() != is_local) continue;
      sending(rank, [this, rank] { send(rank); });
    }
  }
  receive_all();
}

// What cannot be sent ends the call for all.
template <typename Work>
void CollectiveCall::sending(int rank, Work work) {
  try {
    translated([&] {
      work();
      return 0;
    });
  } catch (const ::sidl::BaseException& thrown) {
    fail(rank, thrown);
    give_up(reason_of(thrown));
  }
}

::sidl::array<char> CollectiveCall::pieces_for(int rank) const {
  return plan_.distributed == nullptr ? ::sidl::array<char>()
                                      : plan_.distributed->pack(rank, pieces_);
}

// The same as send and receive, where there is only one rank, with less to do.
void CollectiveCall::call_one(int rank) {
  ::sidl::array<char> pieces;
  sending(rank, [&] { pieces = pieces_for(rank); });
  if (outcome_.failed) return;
  try {
    Reply& reply = replies_[rank];
    const bool is_well = client_.attachment(rank).run(
        number_, method_.name, static_cast<std::int64_t>(method_.digest), true, arguments_, pieces,
        reply.results, reply.pieces);
    if (!is_well) has_lost(rank);
  } catch (const ::sidl::BaseException& thrown) {
    fail(rank, thrown);
  }
}

void CollectiveCall::send(int rank) {
  const bool drives = std::ranges::binary_search(plan_.driven, rank);
  const ::sidl::array<char> pieces = pieces_for(rank);
  sent_[rank] = client_.attachment(rank).run_send(number_, method_.name,
                                                  static_cast<std::int64_t>(method_.digest), drives,
                                                  drives ? arguments_ : CallValues(), pieces);
}

void CollectiveCall::receive_all() {
  if (sent_.size() == 1) {
    receive(sent_.begin()->first, sent_.begin()->second);
    return;
  }
  // In any order: what one rank waits for may be another one's failure.
  const auto book =
      ::sidl::babel_cast<::sidl::rmi::TicketBook>(::sidl::rmi::TicketBookI::_create());
  for (const auto& [rank, ticket] : sent_) book.insertWithID(ticket, rank);
  while (!book.isEmpty() && is_worth_waiting(book)) {
    ::sidl::rmi::Ticket ticket;
    const int rank = book.removeReady(ticket);
    receive(rank, ticket);
  }
}

// When a rank is gone, others may run the method for long, or wait in it for that rank for ever. If
// so, the calls that are left are given up.
bool CollectiveCall::is_worth_waiting(const ::sidl::rmi::TicketBook& book) const {
  if (!lost_at_) return true;
  while (!book.test()) {
    if (Clock::now() - *lost_at_ >= kParting) {
      for (const auto& [rank, ticket] : sent_) ticket.cancel();
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

void CollectiveCall::receive(int rank, const ::sidl::rmi::Ticket& ticket) {
  try {
    Reply& reply = replies_[rank];
    if (client_.attachment(rank).run_recv(ticket, reply.results, reply.pieces)) return;
    has_lost(rank);
  } catch (const ::sidl::BaseException& thrown) {
    fail(rank, thrown);
  }
}

// The exception comes from another rank of the group: it counts before this one.
void CollectiveCall::has_lost(int rank) {
  if (outcome_.failed) return;
  outcome_ = failure<::sidl::rmi::CancelledException>(
      kGivenUp + rank,
      "an exception on " + client_.name_of(rank) + " is lost with the rank that had it");
}

void CollectiveCall::fail(int rank, ::sidl::BaseException thrown) {
  thrown.add("on " + client_.name_of(rank));
  if (is_one_of<::sidl::rmi::UnexpectedCloseException>(thrown) && !lost_at_)
    lost_at_ = Clock::now();
  if (may_not_have_run(thrown)) {
    explain(thrown, "'" + std::string(method_.name) + "' on " + client_.name_of(rank) +
                        ", called by rank " + std::to_string(client_.rank()));
    give_up(reason_of(thrown));
  }
  const std::int64_t priority =
      is_one_of<::sidl::rmi::CancelledException>(thrown) ? kGivenUp + rank : rank;
  if (outcome_.failed && outcome_.priority <= priority) return;
  outcome_ = {true, priority, ::sidl::babel_cast<::sidl::io::Serializable>(thrown)};
}

void CollectiveCall::give_up(const Reason& why) {
  if (!std::exchange(is_given_up_, true)) client_.give_up(number_, why);
}

std::vector<::sidl::basearray> CollectiveCall::results_in_pieces() const {
  std::vector<::sidl::basearray> results;
  if (plan_.distributed == nullptr) return results;
  const auto& distributed = plan_.distributed->arguments();
  for (std::size_t i = 0; i < distributed.size(); ++i) {
    const bool is_out = distributed[i].info->mode == sidl_mode_out;
    results.push_back(is_out ? distributed[i].new_piece() : pieces_[i]);
  }
  for (const auto& [rank, reply] : replies_) plan_.distributed->unpack(rank, reply.pieces, results);
  return results;
}

// Pieces first: if they do not fit, out arguments are still null.
void CollectiveCall::take_results(void* result) {
  std::vector<::sidl::basearray> results = translated([this] { return results_in_pieces(); });
  ItemSource source = source_of(items_in(replies_.at(plan_.driven.front()).results));
  exception_slot ex;
  sidl_rmi_get_outputs(&source.base, &method_, plain_args_.data(), result, ex.ptr());
  ex.check<>();
  for (std::size_t i = 0; i < results.size(); ++i) {
    const DistributedArgument& each = plan_.distributed->arguments()[i];
    if (each.info->mode != sidl_mode_out) continue;
    *static_cast<struct sidl__array**>(args_[each.index]) = results[i]._give();
  }
}

}  // namespace shinar::par
