/**
 * The memory that a server keeps for its clients beyond their messages: names of objects and of
 * methods, counts, releases that wait. A peer decides how much there is, so each session has a
 * share, and all sessions together a limit.
 */
#ifndef SHINAR_CORE_ACCOUNT_HPP
#define SHINAR_CORE_ACCOUNT_HPP

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "limits.hpp"
#include "memory.hpp"
#include "tenant.hpp"

namespace shinar::wire {

/** What a session has taken of it. Any thread. */
class Account {
 public:
  /** `all`: that of all sessions, of which each may take a quarter; `tenant`: NULL: nobody's. */
  Account(std::shared_ptr<Budget> all, std::shared_ptr<Tenant> tenant)
      : all_(std::move(all)), tenant_(std::move(tenant)), own_(all_->limit() / 4) {}
  Account(const Account&) = delete;
  Account& operator=(const Account&) = delete;
  ~Account() { give_back(own_.used()); }

  /** The limit of all sessions, if each may hold so many references. */
  static std::uint64_t limit_for(std::uint32_t most_references) {
    return 4 * bytes_each * std::max(most_references, least_references);
  }

  /** Throws Error. */
  void charge(std::uint64_t bytes) {
    if (!own_.take(bytes)) {
      throw Limits::exceeded("bytes that are kept for one session", own_.limit(),
                             own_.used() + bytes, setting);
    }
    if (!all_->take(bytes)) {
      own_.give_back(bytes);
      throw too_much(*all_, bytes);
    }
    if (tenant_ == nullptr ||
        tenant_->try_take(Resource::kept, bytes, all_->limit() - all_->used(), floor)) {
      return;
    }
    own_.give_back(bytes);
    all_->give_back(bytes);
    throw too_much_for_one(bytes);
  }
  void give_back(std::uint64_t bytes) {
    own_.give_back(bytes);
    all_->give_back(bytes);
    if (tenant_ != nullptr) tenant_->give_back(Resource::kept, bytes);
  }
  std::uint64_t used() const { return own_.used(); }

  Error too_much_for_one(std::uint64_t bytes) const {
    const std::uint64_t used = tenant_->used(Resource::kept);
    if (used < floor) {
      return Error(Failure::protocol,
                   "of " + std::to_string(all_->limit()) +
                       " bytes that are kept for all sessions " + std::to_string(all_->used()) +
                       " are taken, and the rest is left for clients that have proved to be others "
                       "(setting: SIDL_RMI_MAX_REFERENCES, times 1024)");
    }
    return Limits::exceeded("bytes that are kept for one client's sessions, as others need some",
                            used, used + bytes, "SIDL_RMI_MAX_REFERENCES, times 1024");
  }
  static Error too_much(const Budget& all, std::uint64_t bytes) {
    return Limits::exceeded("bytes that are kept for all sessions", all.limit(), all.used() + bytes,
                            "SIDL_RMI_MAX_REFERENCES, times 1024");
  }

 private:
  static constexpr const char* setting = "SIDL_RMI_MAX_REFERENCES, times 256";
  /** A reference with its name, in the session's counts and in those of all, takes about this. */
  static constexpr std::uint64_t bytes_each = 256;
  /** What a tenant may have, however many others want some. */
  static constexpr std::uint64_t floor = std::uint64_t{1} << 20;
  /** Lower bound: clients that may hold few objects call methods, too. */
  static constexpr std::uint32_t least_references = 262144;

  const std::shared_ptr<Budget> all_;
  const std::shared_ptr<Tenant> tenant_;
  Budget own_;
};

/** A part of an account, given back when this is destroyed. One thread at a time. */
class Charge {
 public:
  Charge() = default;
  /** Throws Error if the account does not suffice. */
  static Charge take(std::shared_ptr<Account> account, std::uint64_t bytes) {
    account->charge(bytes);
    return {std::move(account), bytes};
  }
  /** For what has been charged. */
  Charge(std::shared_ptr<Account> account, std::uint64_t bytes)
      : account_(std::move(account)), bytes_(bytes) {}
  Charge(Charge&& other) noexcept
      : account_(std::move(other.account_)), bytes_(std::exchange(other.bytes_, 0)) {}
  Charge& operator=(Charge&& other) noexcept {
    std::swap(account_, other.account_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Charge() {
    if (bytes_ != 0) account_->give_back(bytes_);
  }

  explicit operator bool() const { return bytes_ != 0; }
  /** Takes a part of it, of so many bytes if it has them. */
  Charge split(std::uint64_t bytes) {
    bytes = std::min(bytes, bytes_);
    bytes_ -= bytes;
    return {account_, bytes};
  }

 private:
  std::shared_ptr<Account> account_;
  std::uint64_t bytes_ = 0;
};

}  // namespace shinar::wire
#endif
