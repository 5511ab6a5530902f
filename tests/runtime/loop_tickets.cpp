#include "loop_tickets.hpp"

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "loop.hpp"
#include "rt_LoopTicket.h"
#include "rt_PlainTicket.h"
#include "sidl_rmi_CancelledException.h"
#include "sidl_rmi_Response.h"
#include "sidl_rmi_Ticket.h"
#include "sidl_rmi_TicketBookI.h"
#include "sidl_rmi_TicketObserver.h"
#include "sidl_rmi_TimeOutException.h"
#include "support.hpp"

namespace {

using Ex = sidl_BaseInterface__object**;
using Answer = sidl_rmi_Response__object* (*)(rt_Pipe__object*, Ex);

std::atomic<bool> holds{false};
std::atomic<bool> observable{true};

// One call; shared by its ticket and the list of calls that are held.
class Held {
 public:
  Held(rt_Pipe__object* request, Answer answer) : answer_(answer) {
    rt::Exception ex = nullptr;
    request_ = rt::Ref<rt_Pipe__object>(sidl_cast(request, &rt_Pipe__info, &ex));
  }

  // Executes the request; what comes of it is dropped if the call is over already.
  void execute() {
    rt::Exception ex = nullptr;
    rt::Ref<sidl_rmi_Response__object> response(answer_(request_.get(), &ex));
    EXPECT_TRUE(rt::ok(ex));
    end(nullptr, std::move(response));
  }

  // False if it was over.
  bool end(const sidl_type_info* failure, rt::Ref<sidl_rmi_Response__object> response = {}) {
    std::vector<rt::Ref<sidl_rmi_TicketObserver__object>> observers;
    {
      const std::lock_guard<std::mutex> guard(lock_);
      if (over_) return false;
      over_ = true;
      failure_ = failure;
      response_ = std::move(response);
      observers.swap(observers_);
      changed_.notify_all();
    }
    for (const auto& observer : observers) tell(observer.get());
    return true;
  }

  void block() {
    std::unique_lock<std::mutex> guard(lock_);
    changed_.wait(guard, [this] { return over_; });
  }

  bool test() {
    const std::lock_guard<std::mutex> guard(lock_);
    return over_;
  }

  void observe(sidl_rmi_TicketObserver__object* observer, Ex ex) {
    {
      const std::lock_guard<std::mutex> guard(lock_);
      if (!over_) {
        observers_.emplace_back(sidl_cast(observer, &sidl_rmi_TicketObserver__info, ex));
        return;
      }
    }
    tell(observer);
  }

  sidl_rmi_Response__object* response(Ex ex) {
    block();
    *ex = nullptr;
    if (failure_ != nullptr) {
      sidl_rmi_throw(failure_, "no answer", 0, 1, __FILE__, __LINE__, __func__, ex);
      return nullptr;
    }
    return static_cast<sidl_rmi_Response__object*>(
        sidl_cast(response_.get(), &sidl_rmi_Response__info, ex));
  }

 private:
  static void tell(sidl_rmi_TicketObserver__object* observer) {
    rt::Exception ex = nullptr;
    sidl_rmi_TicketObserver_over(observer, &ex);
    EXPECT_TRUE(rt::ok(ex));
  }

  Answer answer_;
  rt::Ref<rt_Pipe__object> request_;
  std::mutex lock_;
  std::condition_variable changed_;
  bool over_ = false;
  const sidl_type_info* failure_ = nullptr;
  rt::Ref<sidl_rmi_Response__object> response_;
  std::vector<rt::Ref<sidl_rmi_TicketObserver__object>> observers_;
};

using Shared = std::shared_ptr<Held>;

std::mutex list_lock;
std::vector<Shared> held;

Shared take_held(int i) {
  const std::lock_guard<std::mutex> guard(list_lock);
  const Shared call = held.at(static_cast<std::size_t>(i));
  held.erase(held.begin() + i);
  return call;
}

// ---- the two classes of tickets -----------------------------------------------------------------

template <class Object>
Held& of(Object* self) {
  return **static_cast<Shared*>(self->d_data);
}

template <class Object>
void block(Object* self, Ex ex) {
  *ex = nullptr;
  of(self).block();
}

template <class Object>
sidl_bool test(Object* self, Ex ex) {
  *ex = nullptr;
  return of(self).test();
}

template <class Object>
sidl_bool cancel(Object* self, Ex ex) {
  *ex = nullptr;
  return of(self).end(&sidl_rmi_CancelledException__info);
}

template <class Object>
sidl_rmi_TicketBook__object* create_book(Object*, Ex ex) {
  return static_cast<sidl_rmi_TicketBook__object*>(
      sidl_cast_borrowed(sidl_rmi_TicketBookI__create(ex), &sidl_rmi_TicketBook__info));
}

template <class Object>
sidl_rmi_Response__object* response(Object* self, Ex ex) {
  return of(self).response(ex);
}

void observe(rt_LoopTicket__object* self, sidl_rmi_TicketObserver__object* observer, Ex ex) {
  *ex = nullptr;
  of(self).observe(observer, ex);
}

template <class Object>
void adopt(void* self, void* data, Ex ex) {
  *ex = nullptr;
  static_cast<Object*>(self)->d_data = data;
}

template <class Object>
void destruct(void* self, Ex ex) {
  *ex = nullptr;
  delete static_cast<Shared*>(static_cast<Object*>(self)->d_data);
}

template <class Object, class Epv>
sidl_class ticket_class(const sidl_type_info* info, Epv& epv) {
  epv.f_block = block<Object>;
  epv.f_test = test<Object>;
  epv.f_cancel = cancel<Object>;
  epv.f_createEmptyTicketBook = create_book<Object>;
  epv.f_getResponse = response<Object>;
  sidl_class result = rt::make_class(info, &epv);
  result.ctor2 = adopt<Object>;
  result.dtor = destruct<Object>;
  return result;
}

}  // namespace

sidl_class* rt_LoopTicket__class(void) {
  static rt_LoopTicket__epv epv{};
  static sidl_class result = [] {
    epv.f_observe = observe;
    return ticket_class<rt_LoopTicket__object>(&rt_LoopTicket__info, epv);
  }();
  return &result;
}

sidl_class* rt_PlainTicket__class(void) {
  static rt_PlainTicket__epv epv{};
  static sidl_class result = ticket_class<rt_PlainTicket__object>(&rt_PlainTicket__info, epv);
  return &result;
}

namespace rt {

sidl_rmi_Ticket__object* hold_call(rt_Pipe__object* request, Answer answer, Ex ex) {
  const auto call = std::make_shared<Held>(request, answer);
  if (holds) {
    const std::lock_guard<std::mutex> guard(list_lock);
    held.push_back(call);
  } else {
    call->execute();
  }
  const sidl_type_info* const type = observable ? &rt_LoopTicket__info : &rt_PlainTicket__info;
  return static_cast<sidl_rmi_Ticket__object*>(
      sidl_cast_borrowed(sidl_wrap(type, new Shared(call), ex), &sidl_rmi_Ticket__info));
}

void loop_hold(bool hold) {
  holds = hold;
}

int loop_held() {
  const std::lock_guard<std::mutex> guard(list_lock);
  return static_cast<int>(held.size());
}

void loop_answer(int i) {
  take_held(i)->execute();
}

void loop_expire(int i) {
  take_held(i)->end(&sidl_rmi_TimeOutException__info);
}

void loop_observable(bool is_observable) {
  observable = is_observable;
}

}  // namespace rt
