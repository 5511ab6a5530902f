/**
 * Packs the values of one message: what Simvocation and SimReturn have in common.
 *
 * Values are sent in order; keys are used only in error texts. One thread at a time. Errors of the
 * core are thrown as SIDL exceptions.
 */
#ifndef SHINAR_GLUE_PACKER_HPP
#define SHINAR_GLUE_PACKER_HPP

#include <memory>
#include <string>

#include "arrays.hpp"
#include "core/callee.hpp"
#include "core/host.hpp"
#include "loan.hpp"
#include "sidl_BaseInterface.hxx"
#include "sidl_io_Serializable.hxx"
#include "sidl_io_Serializer.hxx"
#include "translate.hpp"

struct sidl_rmi_InstanceHandle__object;

namespace shinar::wire {

class Packer {
 public:
  /** For a call to `receiver`. */
  void begin_call(Encoder& encoder, Callee& receiver);
  /** For an answer; what it lends is booked to the caller's session. */
  void begin_answer(Answer& answer);
  /** The call was sent or never will be; nothing may be packed any more. */
  void end() {
    close();
    if (!loan_.empty()) loan_.end();
  }
  /** The answer is complete. Throws Error if its caller is gone. */
  void end_answer() {
    if (!loan_.empty()) put_stand_in_or_end();
    end();
  }
  /** What a call lends and holds so far. */
  Loan& loan() { return loan_; }
  /** A call that expects an answer is complete; returns what it lends and holds until end(). */
  Loan& close() {
    encoder_ = nullptr;
    receiver_ = nullptr;
    answer_ = nullptr;
    depth_ = 0;
    strings_to_trace_ = 0;
    return loan_;
  }
  /**
   * The same for a one-way call: nothing is held except by references that the receiver releases.
   * Throws Error.
   */
  Loan& close_one_way() {
    if (!loan_.empty()) put_stand_in();
    return close();
  }

  template <class T>
  void put(T value) {
    encoder().put(value);
  }
  void put_bool(bool value) { encoder().put_bool(value); }
  template <class T>
  void put_complex(const std::complex<T>& value) {
    encoder().put_pair(value.real(), value.imag());
  }
  /** NULL: the null string. */
  void put_string(const char* value) {
    if (value == nullptr) {
      encoder().put_null_string();
    } else {
      put_string(std::string_view(value));
    }
  }
  void put_string(std::string_view value) {
    if (strings_to_trace_ > 0 && --strings_to_trace_ == 0) return put_padded(value);
    or_let_go([&] { translated("packString", [&] { encoder().put_string(value); }); });
  }
  template <class T>
  void put_array(const sidl::array<T>& value, std::int32_t ordering, bool reuse) {
    // packObj and manual calls may release the array before it is sent.
    const Sharing sharing = reuse ? Sharing::kept : Sharing::copy;
    or_let_go(
        [&] { translated("packArray", [&] { pack_array(encoder(), value, ordering, sharing); }); });
  }

  /** `key` names the value in errors; `is_held`: somebody else holds it until it has been sent. */
  void put_object(std::string_view key, const sidl::BaseInterface& value, bool is_held = false);

  /** By value: the names of its classes, then what packObj puts into `self`. */
  void put_serializable(const sidl::io::Serializable& value, const sidl::io::Serializer& self);

  /** Makes the answer an exception; drops what was packed before. */
  void put_exception(const sidl::io::Serializable& value, const sidl::io::Serializer& self);

  /** The destination; throws if there is none any more. */
  Encoder& encoder() {
    if (encoder_ == nullptr) [[unlikely]]
      throw_left();
    return *encoder_;
  }

 private:
  [[noreturn]] static void throw_left();
  /** A call that cannot be packed completely is not made: releases what it holds. */
  template <class Action>
  void or_let_go(Action action) {
    try {
      action();
    } catch (...) {
      if (answer_ == nullptr) end();
      throw;
    }
  }
  void put_names(const sidl::io::Serializable& value);
  bool put_with_kept_state(const sidl::io::Serializable& value, const sidl::io::Serializer& self);
  void put_padded(std::string_view trace);
  void put_remote(sidl_rmi_InstanceHandle__object* handle, std::string_view key,
                  const sidl::BaseInterface& value, bool is_held);
  void put_local(std::string_view key, const sidl::BaseInterface& value);
  Lent& begin_lending();
  void put_lent(Lent& lent, std::string id, std::string_view type);
  void put_stand_in();
  void put_stand_in_or_end();
  void put_elsewhere(std::string_view key, const sidl::BaseInterface& value,
                     const std::string& type);
  void put_url(std::string_view url, std::string_view type);

  Encoder* encoder_ = nullptr;
  Callee* receiver_ = nullptr;
  Answer* answer_ = nullptr;  ///< if it is an answer
  Loan loan_;                 ///< what a call lends and holds; of an answer: only what it holds
  int depth_ = 0;
  std::uint64_t references_ = 0;  ///< objects packed by reference so far
  int strings_to_trace_ = 0;      ///< the n-th string from now is the trace to be padded; 0: none
  std::size_t padding_ = 0;       ///< blanks to append to it
};

}  // namespace shinar::wire
#endif
