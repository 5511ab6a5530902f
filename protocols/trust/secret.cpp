/**
 * A secret that both ends know: what proves that is HMAC-SHA-256 over the statement. Nobody learns
 * the secret from it, nor whether a guess is right but by trying all: that is why it must be long.
 */
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/authentication.hpp"
#include "core/error.hpp"
#include "secret_file.hpp"

namespace shinar::wire {
namespace {

constexpr std::size_t hmac_bytes = 32;

/**
 * A thread that calls OpenSSL, which ends in an exit handler, unless this library is the first one
 * in the process to use it: not while a thread does, and no thread does so later.
 */
class Use {
 public:
  Use() {
    ++threads_;
    if (!is_over_) return;
    --threads_;
    throw Error(Failure::connect, "the process ends, and with it OpenSSL");
  }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;
  ~Use() { --threads_; }

  /** A forked child may have the count of threads that it does not have. */
  static void end_all() {
    constexpr std::chrono::milliseconds longest(100);
    const auto until = std::chrono::steady_clock::now() + longest;
    is_over_ = true;
    while (threads_ != 0 && std::chrono::steady_clock::now() < until) std::this_thread::yield();
  }

 private:
  static inline std::atomic<int> threads_{0};
  static inline std::atomic<bool> is_over_{false};
};

[[gnu::constructor]] void expect_end() {
  ::OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, nullptr);
  ::OPENSSL_atexit(&Use::end_all);
}

class SecretAuthenticator final : public Authenticator {
 public:
  SecretAuthenticator(std::vector<unsigned char> secret, std::string name)
      : secret_(std::move(secret)), name_(std::move(name)) {}
  SecretAuthenticator(const SecretAuthenticator&) = delete;
  SecretAuthenticator& operator=(const SecretAuthenticator&) = delete;
  ~SecretAuthenticator() override { OPENSSL_cleanse(secret_.data(), secret_.size()); }

  std::string_view method() const override { return "secret"; }
  std::string_view what() const override { return "a shared secret"; }
  std::string_view setting() const override { return "SIDL_SECRET_FILE"; }
  std::size_t proof_bytes() const override { return hmac_bytes; }

  std::vector<std::byte> prove(std::span<const std::byte> statement) const override {
    const Use use;
    std::vector<std::byte> proof(hmac_bytes);
    unsigned size = 0;
    const unsigned char* const done =
        ::HMAC(::EVP_sha256(), secret_.data(), static_cast<int>(secret_.size()),
               reinterpret_cast<const unsigned char*>(statement.data()), statement.size(),
               reinterpret_cast<unsigned char*>(proof.data()), &size);
    if (done == nullptr || size != hmac_bytes) {
      throw Error(Failure::protocol, "OpenSSL cannot compute HMAC-SHA-256");
    }
    return proof;
  }

  Checked check(Side whose, std::span<const std::byte> statement,
                std::span<const std::byte> proof) const override {
    const std::vector<std::byte> right = prove(statement);
    // In constant time: how much of it is right must not show.
    if (proof.size() == hmac_bytes && CRYPTO_memcmp(right.data(), proof.data(), hmac_bytes) == 0) {
      return {{name_, "secret"}};
    }
    const std::string who = whose == Side::server ? "server" : "client";
    return {{}, "the " + who + " does not have the same secret"};
  }

 private:
  std::vector<unsigned char> secret_;
  const std::string name_;
};

class SharedSecret final : public Authentication {
 public:
  std::shared_ptr<const Authenticator> make(const std::string& setting) override {
    return std::make_shared<SecretAuthenticator>(read_secret(setting),
                                                 setting.substr(setting.rfind('/') + 1));
  }
};

SharedSecret shared_secret;
const AddAuthentication add_secret("secret", shared_secret);

}  // namespace
}  // namespace shinar::wire
