/**
 * Within the handshake both ends prove who they are, each about this very connection:
 *
 *     client                                server
 *     hello, its nonce, method      ──▶
 *                                   ◀──     welcome, its nonce and proof
 *     its proof                     ──▶
 *                                   ◀──     the verdict
 *
 * A proof is about a statement: who makes it, both nonces, hello and welcome, and what the channel
 * is bound to. So none can be replayed, reflected, or carried to another channel. What a proof is,
 * an Authenticator knows, which is made by an Authentication: a plug-in like transports,
 * libsidlx_NAME.so. The state machines of both ends are here; they neither read nor write.
 */
#ifndef SHINAR_CORE_AUTHENTICATION_HPP
#define SHINAR_CORE_AUTHENTICATION_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "handshake.hpp"
#include "identity.hpp"

namespace shinar::wire {

enum class Side : std::uint8_t { client, server };

constexpr std::size_t nonce_bytes = 32;
using Nonce = std::array<std::byte, nonce_bytes>;
Nonce random_nonce();

/** What is proved must have a limit, as it is read from strangers. */
constexpr std::size_t most_proof_bytes = 1024;

/** What a process needs to prove who it is, and to check others' proofs. Any thread. */
class Authenticator {
 public:
  virtual ~Authenticator() = default;

  /** Of the Authentication: lower-case letters and digits. */
  virtual std::string_view method() const = 0;
  /** "a shared secret", for messages. */
  virtual std::string_view what() const = 0;
  /** The environment variable that gives it to a process. */
  virtual std::string_view setting() const = 0;

  /** Of each of its proofs, at most most_proof_bytes. */
  virtual std::size_t proof_bytes() const = 0;
  /** Throws Error if this process cannot prove anything at the moment. */
  virtual std::vector<std::byte> prove(std::span<const std::byte> statement) const = 0;

  struct Checked {
    Identity identity;
    std::string wrong{};  ///< why it is no proof, for both ends' users; empty if it is one
  };
  /** `whose`: a client checks that it may trust a server, a server who the client is. */
  virtual Checked check(Side whose, std::span<const std::byte> statement,
                        std::span<const std::byte> proof) const = 0;
  /** True if the above may have to wait for others: not on a thread that must not. */
  virtual bool may_wait() const { return false; }

  /** As the program or the environment has set it, NULL if neither has. Throws Error. */
  static std::shared_ptr<const Authenticator> of_process();
};

/** A way to authenticate. */
class Authentication {
 public:
  virtual ~Authentication() = default;
  /** `setting`: the value of its environment variable. Throws Error. */
  virtual std::shared_ptr<const Authenticator> make(const std::string& setting) = 0;
};

/** Registers one for good; both must have static storage duration. */
class AddAuthentication {
 public:
  AddAuthentication(const char* name, Authentication& authentication,
                    const char* release = SHINAR_TRANSPORT_RELEASE);
  AddAuthentication(const AddAuthentication&) = delete;
  AddAuthentication& operator=(const AddAuthentication&) = delete;
};

/** What a proof is about. */
struct Statement {
  std::string_view method{};
  Nonce client{}, server{};
  HelloBytes hello{}, welcome{};
  std::vector<std::byte> binding{};  ///< Channel::binding()

  std::vector<std::byte> by(Side side) const;
};

/** The client's end, of one handshake. */
class ClientAuthentication {
 public:
  /** Completes the hello. */
  ClientAuthentication(const Authenticator& mine, Hello& hello,
                       const Nonce& nonce = random_nonce());

  /** The hello's extension. */
  std::vector<std::byte> offer() const;
  /** How many bytes of the welcome's extension are nonce and proof of the server. */
  std::size_t challenge_bytes() const { return nonce_bytes + mine_.proof_bytes(); }

  struct Answer {
    std::vector<std::byte> proof;  ///< to be sent: zeros, if the server has not proved anything
    std::string wrong{};           ///< why it has not
    Identity identity{};           ///< of the server
  };
  Answer answer(const HelloBytes& hello, const HelloBytes& welcome,
                std::span<const std::byte> challenge, std::vector<std::byte> binding) const;
  /** What is wrong with a server that sends no challenge. */
  std::string no_challenge() const;

 private:
  const Authenticator& mine_;
  const Nonce nonce_;
};

/** The server's end, of one handshake. */
class ServerAuthentication {
 public:
  explicit ServerAuthentication(const Authenticator& mine, const Nonce& nonce = random_nonce());

  /** Some more bytes of the hello's extension. */
  void take_offer(std::span<const std::byte> bytes);
  /** Why it will not do; empty if it will. */
  std::string objection() const;
  /** The same for a client that offers nothing. */
  static std::string no_offer(const Authenticator& mine);

  std::size_t challenge_bytes() const { return nonce_bytes + mine_.proof_bytes(); }
  /** The beginning of the welcome's extension. */
  std::vector<std::byte> challenge(const HelloBytes& hello, const HelloBytes& welcome,
                                   std::vector<std::byte> binding);

  /** Where the rest of the client's proof goes; empty once it is there. */
  std::span<std::byte> missing() { return std::span(proof_).subspan(got_); }
  void came(std::size_t bytes) { got_ += bytes; }
  Authenticator::Checked check() const;
  /** As it was sent. */
  const HelloBytes& welcome() const { return statement_.welcome; }

 private:
  const Authenticator& mine_;
  std::vector<std::byte> offer_;
  Statement statement_;
  std::vector<std::byte> proof_;
  std::size_t got_ = 0;  ///< bytes of the proof
};

/** The server's last word: `text` is empty, or says why it refuses the client. */
std::vector<std::byte> encode_verdict(Refusal why, const std::string& text);
constexpr std::size_t verdict_bytes = 8;
struct Verdict {
  Refusal refusal = Refusal::none;
  std::uint32_t text = 0;  ///< bytes that follow
};
Verdict decode_verdict(std::span<const std::byte, verdict_bytes> bytes);

}  // namespace shinar::wire
#endif
