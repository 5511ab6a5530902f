// One rank of a parallel object, as the ranks of its clients call it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "impl/callers.hpp"
#include "impl/group_state.hpp"
#include "impl/items.hpp"
#include "impl/method_plan.hpp"
#include "impl/served_indices.hpp"
#include "sidl_BaseClass.hxx"
#include "sidl_par_CallValues.hxx"
#include "sidl_par_Distribution.hxx"

namespace shinar::par {

class ServedObject : public Clientele, public std::enable_shared_from_this<ServedObject> {
 public:
  static std::shared_ptr<ServedObject> publish(std::shared_ptr<GroupState> group, std::string name,
                                               ::sidl::BaseClass object);
  // That of an object that this process has published last; null: it has not.
  static std::shared_ptr<ServedObject> find(const ::sidl::BaseInterface& object);
  // That with this name of a group; throws Misfit if there is none.
  static std::shared_ptr<ServedObject> find(const GroupState& group, const std::string& name);

  ServedObject(std::shared_ptr<GroupState> group, std::string name, ::sidl::BaseClass object);

  GroupState& group() { return *group_; }
  std::string type_name() const;
  // Throws if the class has no such distributed argument.
  const sidl_arg_info& check_argument(const std::string& argument) const;
  void distribute(const std::string& argument, const Distribution& distribution);
  // Collective.
  void distribute(const std::string& argument, std::shared_ptr<const IndexList> list);
  // Waits a moment until it has been said.
  ::sidl::par::Distribution distribution(const std::string& argument);
  // Of an argument that clients divide by lists; waits until this rank has said how it is divided.
  std::shared_ptr<ServedIndices> indices(const std::string& argument);
  // While the ranks of the object tell each other their lists.
  std::shared_ptr<ServedIndices> gathered_indices(const std::string& argument);

  // Callers are those of an Attachment, until it is released.
  void attach(const ClientRank& caller);
  // Callers that have not are not looked after.
  void introduce(const ClientRank& caller, ::sidl::par::Pulse pulse, std::string place);
  // The calls of the client that have not begun here are given up.
  void detach(const ClientRank& caller);
  // How the client has divided an argument.
  void prepare(const ClientRank& caller, const std::string& argument,
               const Distribution& distribution);
  void prepare_indices(const ClientRank& caller, const std::string& argument, std::int64_t turn);

  struct Request {
    CallKey key;
    std::string method;
    std::uint64_t digest;
    bool drives;
    ::sidl::par::CallValues arguments;
    ::sidl::array<char> pieces;
  };
  struct Answer {
    Items results;  // for those that drive
    ::sidl::array<char> pieces;
    bool failed = false;  // another rank of the client has the exception
  };
  // A rank's part of a collective call; returns when the method has run.
  Answer run(const ClientRank& caller, Request request);
  // A method that is not collective.
  Items call(const std::string& method, std::uint64_t digest, const Items& arguments);

  // ---- what others find out who wait for a call of this object
  // ---------------------------------

  std::string why_gone(const CallKey& key) override;
  std::string missing_part(const CallKey& key) override;

 private:
  struct Client {
    int ranks;
    std::map<int, int> attached;  // by rank, how often: threads of a rank may have attached at once
    std::map<std::string, MethodPlan::How> divided;                  // by argument
    std::map<std::string, std::shared_ptr<const MethodPlan>> plans;  // by method
  };
  struct Call;
  class Turn;

  const sidl_method_info& method(const std::string& name, std::uint64_t digest, bool collective);
  bool has_said(const std::string& argument) const;
  void await_said(std::unique_lock<std::mutex>& lock, const std::string& argument);
  void forget_plan(Client& client, const std::string& argument);
  void check_unused(const std::string& argument) const;
  std::shared_ptr<const MethodPlan> plan_for(const ClientRank& caller,
                                             const sidl_method_info& method);
  std::shared_ptr<Call> enter(const ClientRank& caller, Request request);
  void leave_behind(const ClientRank& caller, const CallKey& key);
  bool can_run(const Call& call);
  std::optional<ClientRank> first_missing(const CallKey& key) const;
  void await(const ClientRank& caller, Call& call);
  void look_after_order(const Call& call, GroupState::Behind& behind,
                        GroupState::Clock::time_point deadline);
  std::string obstacle(const Call& call);
  void run_here(Call& call, std::unique_lock<std::mutex>& lock);
  bool execute(Call& call);
  Answer answer_for(const ClientRank& caller, const Call& call);
  void leave(const ClientRank& caller, const Call& call);

  const std::shared_ptr<GroupState> group_;
  const std::string name_;
  const ::sidl::BaseClass object_;
  const bool is_concurrent_;

  Callers callers_;

  // Under the lock of the group's monitor.
  std::map<std::string, Client> clients_;
  std::map<std::string, Distribution> distributions_;              // by argument
  std::map<std::string, std::shared_ptr<ServedIndices>> indices_;  // likewise
  std::map<CallKey, std::shared_ptr<Call>> calls_;
  std::thread::id running_;  // the thread that runs a method, if others must not
  int depth_ = 0;
};

}  // namespace shinar::par
