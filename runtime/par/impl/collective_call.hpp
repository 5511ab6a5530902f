// One rank's part of a collective call, in the client.
#pragma once

#include <map>
#include <optional>

#include "impl/parallel_client.hpp"
#include "sidl_par_CallValues.hxx"
#include "sidl_rmi_TicketBook.hxx"

namespace shinar::par {

class CollectiveCall {
 public:
  // Arguments as for sidl_rmi_invoke. What they do not allow is found out by run().
  CollectiveCall(ParallelClient& client, const sidl_method_info& method,
                 const ParallelClient::Plan& plan, void* const* args);

  // The method and its arguments that are not distributed, for `difference_of`: all ranks have the
  // same.
  std::string text() const;
  // In words, where rank 0 has another text.
  std::string difference_of(const std::string& first) const;
  // This rank makes no call: run() says why, on all ranks.
  void refuse(const Letter& why);
  // Sends this rank's parts and waits for the answers. What became of them: of this rank alone.
  Letter run(std::int64_t number);
  // A rank that it needs is gone: what others still do is waited for only a moment.
  bool has_lost_rank() const { return lost_at_.has_value(); }
  // If the call has not failed on any rank.
  void take_results(void* result);

 private:
  struct Reply {
    ::sidl::par::CallValues results;
    ::sidl::array<char> pieces;
  };

  void put_arguments();
  void call_all();
  ::sidl::array<char> pieces_for(int rank) const;
  template <typename Work>
  void sending(int rank, Work work);
  void call_one(int rank);
  void send(int rank);
  void receive_all();
  bool is_worth_waiting(const ::sidl::rmi::TicketBook& book) const;
  void receive(int rank, const ::sidl::rmi::Ticket& ticket);
  void has_lost(int rank);
  void fail(int rank, ::sidl::BaseException thrown);
  void give_up(const Reason& why);
  std::vector<::sidl::basearray> results_in_pieces() const;

  ParallelClient& client_;
  const sidl_method_info& method_;
  const ParallelClient::Plan& plan_;
  void* const* const args_;
  // The same without those that are distributed: in their places are null arrays.
  std::vector<void*> plain_args_;
  std::vector<struct sidl__array*> nulls_;
  std::vector<::sidl::basearray> pieces_;  // of the plan's arguments; nil if they are out
  ::sidl::par::CallValues arguments_;
  std::int64_t number_ = 0;
  std::map<int, ::sidl::rmi::Ticket> sent_;  // by rank of the object
  std::map<int, Reply> replies_;             // likewise
  Letter outcome_;
  bool is_given_up_ = false;
  std::optional<GroupState::Clock::time_point> lost_at_;
};

}  // namespace shinar::par
