#include "authentication.hpp"

#include <algorithm>
#include <cstring>

#include "error.hpp"
#include "id128.hpp"

namespace shinar::wire {
namespace {

/** Longer names are none: what a stranger sends is kept no further. */
constexpr std::size_t most_offer_bytes = nonce_bytes + 32;

void append(std::vector<std::byte>& bytes, std::span<const std::byte> more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

void append(std::vector<std::byte>& bytes, std::string_view text) {
  append(bytes, std::as_bytes(std::span(text)));
}

template <class T>
void append_number(std::vector<std::byte>& bytes, T number) {
  append(bytes, std::as_bytes(std::span(&number, 1)));
}

std::string name_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

Nonce random_nonce() {
  Nonce nonce;
  fill_random(nonce);
  return nonce;
}

std::vector<std::byte> Statement::by(Side side) const {
  std::vector<std::byte> bytes;
  append(bytes, "simhandle/" + std::to_string(decode_welcome(welcome).version) + "/");
  append(bytes, method);
  append(bytes, side == Side::client ? "/client" : "/server");
  bytes.push_back(std::byte{0});
  append(bytes, client);
  append(bytes, server);
  append(bytes, hello);
  append(bytes, welcome);
  append_number(bytes, static_cast<std::uint32_t>(binding.size()));
  append(bytes, binding);
  return bytes;
}

ClientAuthentication::ClientAuthentication(const Authenticator& mine, Hello& hello,
                                           const Nonce& nonce)
    : mine_(mine), nonce_(nonce) {
  hello.features |= feature_authentication;
  hello.extension = static_cast<std::uint32_t>(offer().size());
}

std::vector<std::byte> ClientAuthentication::offer() const {
  std::vector<std::byte> bytes(nonce_.begin(), nonce_.end());
  append(bytes, mine_.method());
  return bytes;
}

ClientAuthentication::Answer ClientAuthentication::answer(const HelloBytes& hello,
                                                          const HelloBytes& welcome,
                                                          std::span<const std::byte> challenge,
                                                          std::vector<std::byte> binding) const {
  Statement statement{mine_.method(), nonce_, {}, hello, welcome, std::move(binding)};
  std::ranges::copy(challenge.first(nonce_bytes), statement.server.begin());
  const auto proof = challenge.subspan(nonce_bytes);
  auto checked = mine_.check(Side::server, statement.by(Side::server), proof);
  // What it gets for none is no proof, so that it can say at its end what is wrong.
  if (!checked.wrong.empty()) {
    return {std::vector<std::byte>(mine_.proof_bytes()),
            checked.wrong + " (" + std::string(mine_.setting()) + "): no call was sent to it"};
  }
  return {mine_.prove(statement.by(Side::client)), "", std::move(checked.identity)};
}

std::string ClientAuthentication::no_challenge() const {
  return "the server does not ask for " + std::string(mine_.what()) +
         ", and so does not prove who it is, as this client requires (" +
         std::string(mine_.setting()) + "): no call was sent to it";
}

ServerAuthentication::ServerAuthentication(const Authenticator& mine, const Nonce& nonce)
    : mine_(mine) {
  statement_.method = mine_.method();
  statement_.server = nonce;
}

void ServerAuthentication::take_offer(std::span<const std::byte> bytes) {
  append(offer_, bytes.first(std::min(bytes.size(), most_offer_bytes + 1 - offer_.size())));
}

std::string ServerAuthentication::no_offer(const Authenticator& mine) {
  return "this server requires " + std::string(mine.what()) + ": set " +
         std::string(mine.setting());
}

std::string ServerAuthentication::objection() const {
  if (offer_.size() < nonce_bytes) return no_offer(mine_);
  const std::string name = in_one_line(name_of(std::span(offer_).subspan(nonce_bytes)));
  if (name == mine_.method()) return "";
  return no_offer(mine_) + " (the client offers '" + name + "')";
}

std::vector<std::byte> ServerAuthentication::challenge(const HelloBytes& hello,
                                                       const HelloBytes& welcome,
                                                       std::vector<std::byte> binding) {
  std::ranges::copy(std::span(offer_).first(nonce_bytes), statement_.client.begin());
  statement_.hello = hello;
  statement_.welcome = welcome;
  statement_.binding = std::move(binding);
  proof_.resize(mine_.proof_bytes());
  std::vector<std::byte> bytes(statement_.server.begin(), statement_.server.end());
  append(bytes, mine_.prove(statement_.by(Side::server)));
  return bytes;
}

Authenticator::Checked ServerAuthentication::check() const {
  return mine_.check(Side::client, statement_.by(Side::client), proof_);
}

std::vector<std::byte> encode_verdict(Refusal why, const std::string& text) {
  const std::string_view sent = std::string_view(text).substr(0, max_extension);
  std::vector<std::byte> bytes;
  append_number(bytes, static_cast<std::uint16_t>(why));
  append_number(bytes, std::uint16_t{0});
  append_number(bytes, static_cast<std::uint32_t>(sent.size()));
  append(bytes, sent);
  return bytes;
}

Verdict decode_verdict(std::span<const std::byte, verdict_bytes> bytes) {
  Verdict verdict;
  std::memcpy(&verdict.refusal, bytes.data(), sizeof verdict.refusal);
  std::memcpy(&verdict.text, bytes.data() + 4, sizeof verdict.text);
  return verdict;
}

}  // namespace shinar::wire
