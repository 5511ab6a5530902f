// A parallel object as one rank of a group that calls it sees it.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/index_list.hpp"
#include "impl/deadlines.hpp"
#include "impl/divided.hpp"
#include "impl/group_state.hpp"
#include "impl/items.hpp"
#include "impl/method_plan.hpp"
#include "sidl_par_Attachment.hxx"
#include "sidl_par_Distribution.hxx"
#include "sidl_par_Pulse.hxx"
#include "sidl_par_Servant.hxx"
#include "sidl_rmi_NetworkException.hxx"

namespace shinar::par {

class ParallelClient {
 public:
  // All ranks of the group do so together; returns when all are attached.
  static std::shared_ptr<ParallelClient> connect(std::shared_ptr<GroupState> group,
                                                 std::string name,
                                                 const std::vector<std::string>& urls);
  ~ParallelClient();
  ParallelClient(const ParallelClient&) = delete;
  ParallelClient& operator=(const ParallelClient&) = delete;

  const std::string& name() const { return name_; }
  // This one's.
  int rank() const { return group_->rank(); }
  // The class of the object.
  std::string type_name();
  // Of the rank that this one calls alone.
  std::string url() const { return urls_[home_]; }
  void distribute(const std::string& argument, const ::sidl::par::Distribution& distribution);
  // As a sidl_rmi_caller: arguments and results as for sidl_rmi_invoke.
  void call(const sidl_method_info& method, void* const* args, void* result);

  // ---- for CollectiveCall
  // --------------------------------------------------------------------------

  // With which ranks of the object a method has to do.
  struct Plan {
    std::unique_ptr<MethodPlan> distributed;  // null: it has no distributed arguments
    std::vector<int> driven;                  // ranks that get the arguments, ascending
    std::vector<int> peers;                   // these, and those that get or give pieces
  };
  ::sidl::par::Attachment attachment(int rank);
  // A call does not run, on any rank.
  void give_up(std::int64_t number, const Reason& why);
  // "rank 2 of 'ocean' (its URL)"
  std::string name_of(int rank) const;

 private:
  // What all ranks of the group do together: a call, for one. All have the same number for it.
  class Operation {
   public:
    explicit Operation(ParallelClient& client);
    Operation(const Operation&) = delete;
    Operation& operator=(const Operation&) = delete;
    ~Operation();

    std::int64_t number() const { return number_; }
    const SharedDeadline& deadline() const { return deadline_; }
    // In one that has exchanges before its call, or none; throws if others do something else.
    void begin(const std::string& what);
    // Throws on all ranks if they have different texts; `difference` is as for par::compare.
    using Difference = std::function<std::string(const std::string& first)>;
    void agree(const std::string& text, const Difference& difference);
    // Throws if others call something else, of this object or another one.
    void compare(const sidl_method_info& method);
    Letter exchange(Letter mine, GroupState::Phase phase,
                    GroupState::Clock::time_point most = GroupState::Clock::time_point::max());
    // The servers are called.
    void enter_call(const std::string& method) const;

   private:
    ParallelClient& client_;
    std::int64_t number_ = 0;  // 0: none
    std::int64_t exchanges_ = 0;
    const SharedDeadline deadline_;
  };

  ParallelClient(std::shared_ptr<GroupState> group, std::string name,
                 std::vector<std::string> urls);
  void agree_on_name(Operation& operation);
  void agree_on_type(Operation& operation);
  std::string of_other_class(int rank, const std::string& its, const std::string& other_rank,
                             const std::string& other) const;
  void attach_driven();
  ::sidl::par::Servant connected(int rank) const;
  void call_alone(const sidl_method_info& method, void* const* args, void* result);
  void call_together(const sidl_method_info& method, void* const* args, void* result);
  std::shared_ptr<const Plan> plan_for(const sidl_method_info& method, Operation& operation);
  std::shared_ptr<const Plan> made_plan(const sidl_method_info& method, Operation& operation);
  MethodPlan::How how(const Divided& divided, const std::vector<int>& driven);
  template <typename Work>
  auto asking(int rank, const std::string& argument, Work work);
  void check_argument(const std::string& argument);
  ::sidl::par::Distribution distribution_there(const std::string& argument);
  std::vector<Divided> divided_arguments(const sidl_method_info& method);
  std::vector<Divided> agreed_arguments(const sidl_method_info& method, Operation& operation);
  void make_lists(const std::vector<Divided>& arguments, Operation& operation);
  void distribute_lists(const std::map<std::string, IndexList>& lists, Operation& operation);
  std::vector<Message> claimed(const std::string& argument, const IndexList& list,
                               std::int64_t turn);
  std::vector<int> prepared_by(int rank) const;
  void watch();

  const std::shared_ptr<GroupState> group_;
  const std::string name_;
  const std::vector<std::string> urls_;  // of the object's ranks
  const int home_;
  const std::int64_t context_;
  const std::string id_;
  const ::sidl::par::Pulse pulse_;  // by which the object's ranks ask whether this one is alive
  bool is_published_ = false;       // on all ranks of the object

  std::mutex mutex_;  // guards the following; not held during calls
  std::map<int, ::sidl::par::Attachment> attachments_;
  std::string type_name_;  // of the object on all ranks that this one is attached to
  std::map<std::string, ::sidl::par::Distribution> distributions_;
  std::map<std::string, std::shared_ptr<const MethodPlan::Listed>> listed_;  // likewise
  std::map<std::string, std::shared_ptr<const Plan>> plans_;                 // by method
  std::int64_t operations_ = 0;
  bool is_calling_ = false;  // of groups: all ranks call in one order
  // The thread that looks after other ranks while this one is in a call.
  std::condition_variable changed_;
  std::int64_t watched_ = 0;  // the call's number; 0: none
  Clock::time_point next_look_{};
  bool is_watcher_at_rest_ = false;  // until it is told of a call
  bool is_ending_ = false;
  std::thread watcher_;
};

}  // namespace shinar::par
