/**
 * Munge: a daemon of each host of a cluster vouches for the user of whoever asks it. The proof is a
 * credential about the statement, filled up with zeros. A daemon accepts each but once.
 *
 * Every user of the cluster can have one: so a server learns whose its client is, and a client
 * trusts servers of its own user, of root, and of the users that SIDL_MUNGE names.
 */
#include <munge.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "core/authentication.hpp"
#include "core/error.hpp"

namespace shinar::wire {
namespace {

constexpr const char* munge_socket_setting = "SIDL_MUNGE_SOCKET";

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};

/** Of one use: it is not to be shared by threads. */
class Context {
 public:
  Context() : context_(::munge_ctx_create()) {
    if (context_ == nullptr) throw std::bad_alloc();
    const char* const socket = std::getenv(munge_socket_setting);
    if (socket != nullptr && *socket != '\0') {
      ::munge_ctx_set(context_, MUNGE_OPT_SOCKET, socket);
    }
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context() { ::munge_ctx_destroy(context_); }

  munge_ctx_t get() const { return context_; }
  std::string reason(munge_err_t failure) const {
    const char* const text = ::munge_ctx_strerror(context_);
    return text != nullptr ? text : ::munge_strerror(failure);
  }

 private:
  munge_ctx_t context_;
};

std::string name_of_user(uid_t user) {
  passwd entry{};
  passwd* found = nullptr;
  std::vector<char> room(16384);
  if (::getpwuid_r(user, &entry, room.data(), room.size(), &found) == 0 && found != nullptr) {
    return entry.pw_name;
  }
  return std::to_string(user);
}

class MungeAuthenticator final : public Authenticator {
 public:
  /** `trusted`: users whose servers are trusted as well, separated by commas. */
  explicit MungeAuthenticator(const std::string& trusted)
      : trusted_(trusted == "1" ? "" : "," + trusted + ",") {}

  std::string_view method() const override { return "munge"; }
  std::string_view what() const override { return "Munge"; }
  std::string_view setting() const override { return "SIDL_MUNGE"; }
  std::size_t proof_bytes() const override { return most_proof_bytes; }
  bool may_wait() const override { return true; }  // for the daemon

  std::vector<std::byte> prove(std::span<const std::byte> statement) const override {
    const Context context;
    char* made = nullptr;
    const munge_err_t failure =
        ::munge_encode(&made, context.get(), statement.data(), static_cast<int>(statement.size()));
    const std::unique_ptr<char, Free> credential(made);
    if (failure != EMUNGE_SUCCESS) {
      throw Error(Failure::protocol,
                  "Munge gives this process no credential: " + context.reason(failure));
    }
    const std::size_t size = std::strlen(credential.get());
    if (size >= most_proof_bytes) throw Error(Failure::protocol, "Munge's credential is too long");
    std::vector<std::byte> proof(most_proof_bytes);
    std::memcpy(proof.data(), credential.get(), size);
    return proof;
  }

  Checked check(Side whose, std::span<const std::byte> statement,
                std::span<const std::byte> proof) const override {
    const std::string who = whose == Side::server ? "the server" : "the client";
    if (proof.empty() || proof.front() == std::byte{0} || proof.back() != std::byte{0}) {
      return {{}, who + " proves nothing by Munge"};
    }
    const Context context;
    void* payload = nullptr;
    int size = 0;
    uid_t user = 0;
    gid_t group = 0;
    const munge_err_t failure = ::munge_decode(reinterpret_cast<const char*>(proof.data()),
                                               context.get(), &payload, &size, &user, &group);
    const std::unique_ptr<void, Free> owned(payload);
    if (failure != EMUNGE_SUCCESS) {
      return {{},
              "Munge does not accept the credential of " + who + ": " + context.reason(failure)};
    }
    if (static_cast<std::size_t>(size) != statement.size() ||
        std::memcmp(payload, statement.data(), statement.size()) != 0) {
      return {{}, "the credential of " + who + " is not about this connection"};
    }
    Identity identity{name_of_user(user), "munge"};
    if (whose == Side::server && !is_trusted(user, identity.name)) {
      return {{},
              "the server is run by the user " + identity.name +
                  ", not by this process's or root (SIDL_MUNGE may name others to trust)"};
    }
    return {std::move(identity)};
  }

 private:
  bool is_trusted(uid_t user, const std::string& name) const {
    return user == 0 || user == ::geteuid() || trusted_.find("," + name + ",") != std::string::npos;
  }

  const std::string trusted_;
};

class Munge final : public Authentication {
 public:
  std::shared_ptr<const Authenticator> make(const std::string& setting) override {
    return std::make_shared<MungeAuthenticator>(setting);
  }
};

Munge munge;
const AddAuthentication add_munge("munge", munge);

}  // namespace
}  // namespace shinar::wire
