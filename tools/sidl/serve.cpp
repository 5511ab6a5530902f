#include "serve.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "checks.hpp"
#include "limits.hpp"
#include "publish.hpp"
#include "sidl_PreViolation.hxx"
#include "sidl_contract.h"
#include "sidl_log.h"
#include "sidl_name_file.hxx"
#include "sidl_rmi_ProtocolFactory.hxx"
#include "sidl_rmi_Server.hxx"
#include "sidl_rmi_ServerRegistry.hxx"
#include "sidl_rmi_Trust.hxx"
#include "sidl_trust.h"
#include "usage_error.hpp"

namespace sidl_tool {
namespace {

constexpr const char* audit_variable = "SIDL_AUDIT_FILE";
constexpr const char* default_address = "simhandle://127.0.0.1:0";

constexpr const char* serve_footer = R"(
Prints "listening on URL" for each address. On SIGTERM or SIGINT the server stops
accepting calls and waits up to --drain seconds for running calls to finish; a
second signal terminates it immediately. On SIGHUP it reads its certificate, key,
secret and policy again, and opens the audit log anew by its name.

The log goes to standard error, one line per event:
  2026-11-21T13:34:03.123Z warning simhandle: refusing 127.0.0.1:55812: ...
or, with --log-format=json, one JSON object per event with time, level (error,
warning, info, detail), source and message; "listening on URL" is then such an
event, too.

Exit status: 0 clean shutdown, 1 the server could not start or running calls were
aborted, 2 invalid command line.

Examples:
  sidl serve --export demo.Solver=./libsolver.so --listen simhandle://127.0.0.1:4711
  sidl serve --publish solver=demo.Solver --lib ./libsolver.so \
    --listen simhandle+tls://0.0.0.0:4711 --tls-cert node7.pem --tls-key node7.key)";

void log(sidl_log_level level, const std::string& message) {
  sidl_log(level, "sidl", message.c_str());
}

/** The signals to the server; blocked in all threads and received by sigwait. */
sigset_t block_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  return signals;
}

/** Waits for one that ends the server. On SIGHUP, what it trusts is read again. */
void wait_for_end(const sigset_t& signals) {
  for (int signal = 0;;) {
    sigwait(&signals, &signal);
    if (signal != SIGHUP) return;
    sidl::rmi::Trust::reload();
    log(sidl_log_info,
        "SIGHUP: the policy is read again, and certificates, keys and secrets for new "
        "connections");
  }
}

/**
 * A second signal ends the server without waiting for calls in work. One that comes right after the
 * first is a duplicate: timeout(1) signals the process and its group.
 */
void end_at_next(const sigset_t& signals) {
  const auto one_wish_until = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
  std::thread([signals, one_wish_until] {
    do {
      wait_for_end(signals);
    } while (std::chrono::steady_clock::now() < one_wish_until);
    log(sidl_log_warning, "second signal: terminating without waiting for running calls");
    ::_exit(1);
  }).detach();
}

/** The port in a server's URL; empty if it has none. */
std::string port_of(const std::string& address) {
  const std::string port = address.substr(address.rfind(':') + 1);
  return port.find_first_not_of("0123456789") == std::string::npos ? port : "";
}

/** The file with the ports of the server. */
class PortFile {
 public:
  explicit PortFile(const std::string& path) : path_(path), is_ours_(is_replaceable(path)) {}

  /**
   * Replaces regular files atomically; writes devices and pipes directly. A signal ends the wait
   * for who reads a pipe.
   */
  void write(const std::vector<std::string>& addresses, const sigset_t& signals) const {
    std::string text;
    for (const std::string& each : addresses) {
      if (const std::string port = port_of(each); !port.empty()) text += port + '\n';
    }
    if (!(is_ours_ ? replace(text) : write_to(open_for(signals), text))) {
      throw std::runtime_error("cannot write the port file '" + path_ + "'");
    }
  }

  /** Removes the file, as its contents are not valid any more. */
  void remove() const {
    std::error_code ignored;
    if (is_ours_) std::filesystem::remove(path_, ignored);
  }

 private:
  bool replace(const std::string& text) const {
    const std::string file = path_ + ".new." + std::to_string(::getpid());
    std::ofstream out(file);
    out << text;
    out.close();
    std::error_code failure;
    if (out) std::filesystem::rename(file, path_, failure);
    if (out && !failure) return true;
    std::filesystem::remove(file, failure);
    return false;
  }

  /** A descriptor, or -1. */
  int open_for(const sigset_t& signals) const {
    for (;;) {
      const int fd =
          ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_CLOEXEC, 0666);
      if (fd >= 0 || errno != ENXIO) return fd;
      const timespec moment{0, 20'000'000};
      if (::sigtimedwait(&signals, nullptr, &moment) > 0) {
        throw std::runtime_error("ended while nobody read the port file '" + path_ + "', a pipe");
      }
    }
  }

  static bool write_to(int fd, const std::string& text) {
    if (fd < 0) return false;
    const bool is_written =
        ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    return ::close(fd) == 0 && is_written;
  }

  /**
   * Only regular files are replaced: not links, which may lead to others' files, nor special files.
   */
  static bool is_replaceable(const std::string& path) {
    std::error_code failure;
    const auto status = std::filesystem::symlink_status(path, failure);
    return !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
  }

  const std::string path_;
  const bool is_ours_;
};

void start_log(const ServeOptions& options) {
  const sidl_log_level most = options.quiet     ? sidl_log_error
                              : options.verbose ? sidl_log_detail
                                                : sidl_log_info;
  sidl_log_configure(most, options.log_format == "json");
}

/** Loads what is to be served. */
void prepare(const ServeOptions& options) {
  if (options.exports.empty() && options.published.empty()) {
    throw std::runtime_error(
        "nothing to serve: specify --export pkg.Class or --publish name=pkg.Class");
  }
  for (const std::string& each : options.libraries) load_library(each);
  for (const std::string& each : options.exports) load_class_library(each);
  for (const std::string& each : options.published) {
    load_class_library(each.substr(each.find('=') + 1));
  }
  for (const std::string& each : options.exports) export_class(each);
  for (const std::string& each : options.published) publish_object(each);
  sidl::rmi::ServerRegistry::setInspection(!options.no_inspect);
}

/** Checks the addresses: one server has one protocol, with common sessions and references. */
std::vector<std::string> addresses_of(const ServeOptions& options) {
  if (options.listen.empty()) return {default_address};
  // "simhandle" of simhandle://host:port and simhandle+unix:///path; of ucx://… the same class
  const auto protocol_of = [](const std::string& url) {
    const std::string word = url.substr(0, url.find_first_of(":+"));
    const std::string known = sidl::rmi::ProtocolFactory::getProtocol(word);
    return known.empty() ? word : known;
  };
  const std::string& first = options.listen.front();
  for (const std::string& each : options.listen) {
    if (protocol_of(each) == protocol_of(first)) continue;
    throw UsageError("'" + first + "' and '" + each +
                     "' use different protocols: all addresses of a server must use the same one");
  }
  return options.listen;
}

void check_port_file(const ServeOptions& options, const std::vector<std::string>& addresses) {
  const auto has_port = [](const std::string& each) { return !port_of(each).empty(); };
  if (options.port_file.empty() || std::ranges::any_of(addresses, has_port)) return;
  throw UsageError("'" + addresses.front() +
                   "' has no port: --port-file would have nothing to write");
}

/** Starts to serve; returns the URLs. */
std::vector<std::string> start(const sidl::rmi::Server& server, const ServeOptions& options,
                               const std::vector<std::string>& wanted) {
  std::vector<std::string> addresses;
  server.setThreads(options.threads);
  if (options.lease) server.setLease(*options.lease);
  server.setVerbose(!options.quiet);
  for (const std::string& each : wanted) addresses.push_back(server.listen(each));
  server.run();
  return addresses;
}

void announce(const std::vector<std::string>& addresses, const ServeOptions& options) {
  for (const std::string& each : addresses) {
    if (options.log_format == "json") {
      log(sidl_log_info, "listening on " + each);
    } else {
      std::printf("listening on %s\n", each.c_str());
    }
  }
  errno = 0;
  if (std::fflush(stdout) == 0 || errno == EBADF) return;  // who closes it does not want to know
  throw std::runtime_error(std::string("cannot write the addresses to standard output: ") +
                           std::strerror(errno));
}

void add_authentication(CLI::App& command, ServeOptions& options) {
  auto* const secret =
      command
          .add_option("--secret-file", options.secret_file,
                      "File with a secret that clients must have, too (SIDL_SECRET_FILE)")
          ->type_name("FILE")
          ->group("Trust")
          ->check([](const std::string& file) {  // a variable of a script that is not set
            return file.empty() ? std::string("the name of the file is empty") : std::string();
          });
  command
      .add_flag("--munge", options.munge, "Clients must prove by Munge who they are (SIDL_MUNGE)")
      ->group("Trust")
      ->excludes(secret);
}

/** For what this process serves and for what it calls: it has one way to prove who it is. */
void set_authentication(const ServeOptions& options) {
  if (options.secret_file.empty() && !options.munge) return;
  const char* const set = std::getenv("SIDL_MUNGE");
  const std::string users = set == nullptr ? "" : set;
  const bool names_users = !users.empty() && users != "0" && users != "off";
  ::unsetenv("SIDL_MUNGE");
  ::unsetenv("SIDL_SECRET_FILE");
  if (options.munge) {
    ::setenv("SIDL_MUNGE", names_users ? users.c_str() : "1", 1);
  } else {
    ::setenv("SIDL_SECRET_FILE", options.secret_file.c_str(), 1);
  }
}

/** A protocol that has no such thing must not seem to have it. */
void check_authentication(const std::string& address) {
  const char* const munge = std::getenv("SIDL_MUNGE");
  const bool is_munge = munge != nullptr && *munge != '\0';
  if (std::getenv("SIDL_SECRET_FILE") == nullptr && !is_munge) return;
  const std::string word = address.substr(0, address.find_first_of(":+"));
  if (sidl::rmi::ProtocolFactory::getProtocol(word) == "sidlx.rmi.SimHandle") return;
  throw UsageError("clients of '" + address +
                   "' cannot prove who they are, as its protocol knows " +
                   "neither shared secrets nor Munge (--secret-file, --munge, SIDL_SECRET_FILE, " +
                   "SIDL_MUNGE)");
}

void set_contracts(const std::string& contracts) {
  if (contracts.empty()) return;
  sidl::exception_slot ex;
  sidl_contracts_configure("--contracts", contracts.c_str(), ex.ptr());
  try {
    ex.check<sidl::PreViolation>();
  } catch (const sidl::PreViolation& wrong) {
    throw UsageError(wrong.getNote());
  }
}

/** The same for what is allowed, and for the log of what was not. */
void check_policy(const std::string& address) {
  const auto is_set = [](const char* variable) { return std::getenv(variable) != nullptr; };
  if (!is_set(sidl_trust_variable(sidl_trust_policy)) && !is_set(audit_variable)) return;
  const std::string word = address.substr(0, address.find_first_of(":+"));
  if (sidl::rmi::ProtocolFactory::getProtocol(word) == "sidlx.rmi.SimHandle") return;
  throw UsageError(
      "'" + address + "' would serve everybody without a record, as its protocol knows neither " +
      "policies nor an audit log (--policy, --audit, SIDL_POLICY_FILE, " + "SIDL_AUDIT_FILE)");
}

void add_output_options(CLI::App& command, ServeOptions& options) {
  command.add_option("--port-file", options.port_file, "Write the port of each address to FILE")
      ->type_name("FILE");
  command.add_option("--log-format", options.log_format, "Format of the log: text or json")
      ->type_name("")
      ->capture_default_str()
      ->check(one_of({"text", "json"}));
  auto* const verbose = command.add_flag("--verbose", options.verbose,
                                         "Also log connections being opened and closed");
  command.add_flag("--quiet", options.quiet, "Log errors only")->excludes(verbose);
}

/** Files that prove something; they are also named by variables of the environment. */
void add_trust_options(CLI::App& command) {
  const auto add = [&](const char* option, sidl_trust which, const std::string& about) {
    const char* const variable = sidl_trust_variable(which);
    const auto set = [variable](const std::string& path) { ::setenv(variable, path.c_str(), 1); };
    command.add_option_function<std::string>(option, set, about + " (" + variable + ")")
        ->type_name("FILE")
        ->group("Trust");
  };
  command
      .add_flag_callback(
          "--allow-anyone", [] { ::setenv("SIDL_RMI_ALLOW_ANYONE", "1", 1); },
          "Serve whoever reaches an address of this host without having to prove anything "
          "(SIDL_RMI_ALLOW_ANYONE)")
      ->group("Trust");
  add("--tls-cert", sidl_trust_certificate,
      "Certificate, with its chain, for simhandle+tls:// addresses, in PEM");
  add("--tls-key", sidl_trust_key, "Its private key, which others must not be able to read");
  add("--tls-client-ca", sidl_trust_client_authorities,
      "Only clients with a certificate of these authorities may connect over TLS");
  add("--tls-crl", sidl_trust_revoked, "List of revoked certificates");
  add("--policy", sidl_trust_policy, "What clients may do, by who they are, in TOML");
  command
      .add_option_function<std::string>(
          "--audit", [](const std::string& path) { ::setenv(audit_variable, path.c_str(), 1); },
          std::string("Append to FILE who connects, and what is refused to whom; -: standard "
                      "error (") +
              audit_variable + ")")
      ->type_name("FILE")
      ->group("Trust");
}

}  // namespace

CLI::App* add_serve(CLI::App& app, ServeOptions& options) {
  CLI::App* const command =
      app.add_subcommand("serve", "Serve classes and objects to other processes");
  command
      ->add_option("--listen", options.listen,
                   "Address to listen on: simhandle://host:port (port 0: any free port), "
                   "simhandle+unix:///path, or a URL of another protocol; " +
                       std::string("repeatable (default ") + default_address + ")")
      ->type_name("URL")
      ->take_all();
  command
      ->add_option("--export", options.exports,
                   "Class of which clients may create objects; repeatable")
      ->type_name("pkg.Class[=LIBRARY]")
      ->take_all();
  command
      ->add_option("--publish", options.published,
                   "Object that clients may attach to by name; repeatable")
      ->type_name("NAME=pkg.Class[=LIBRARY]")
      ->take_all();
  command->add_option("--lib", options.libraries, "Library of classes to load; repeatable")
      ->type_name("LIBRARY")
      ->take_all();
  command
      ->add_option(
          "--threads", options.threads,
          "Maximum number of calls of one client running at the same time, 2 to 1000; half "
          "as many more for all together; calls that wait for a peer are not counted")
      ->type_name("N")
      ->capture_default_str()
      ->check(between(2, 1000));
  command
      ->add_option("--serialize", options.serialize,
                   "Run calls one at a time per object, class or library, except those marked "
                   "%attrib{concurrent} (default object)")
      ->type_name("object|class|library|none")
      ->check(one_of({"object", "class", "library", "none"}));
  command
      ->add_option("--contracts", options.contracts,
                   "Contracts to enforce: all, pre, post, inv, ... and how often, as in "
                   "pre,periodic,100 (SIDL_CONTRACTS)")
      ->type_name("WHICH[,HOW OFTEN]");
  command->add_option("--drain", options.drain, "How long to wait for running calls at shutdown")
      ->type_name("SECONDS")
      ->capture_default_str()
      ->check(not_negative());
  command->add_flag("--no-inspect", options.no_inspect,
                    "Do not let clients query classes, objects and counters");
  command->add_flag("--no-shm", options.no_shm,
                    "Do not use shared memory with clients of this host (SIDL_RMI_SHM=off)");
  add_trust_options(*command);
  add_authentication(*command, options);
  add_output_options(*command, options);
  command
      ->add_option("--lease", options.lease,
                   "How long to keep the references of a disconnected client (SIDL_RMI_LEASE_MS)")
      ->type_name("SECONDS")
      ->check(not_negative())
      ->group("Limits");
  add_limits(*command);
  command->footer(serve_footer);
  return command;
}

int serve(const ServeOptions& options) {
  const sigset_t signals = block_signals();
  set_contracts(options.contracts);
  const std::vector<std::string> wanted = addresses_of(options);
  check_port_file(options, wanted);
  start_log(options);
  if (options.no_shm) ::setenv("SIDL_RMI_SHM", "off", 1);
  set_authentication(options);
  check_authentication(wanted.front());
  check_policy(wanted.front());
  if (!options.serialize.empty()) ::setenv("SIDL_RMI_SERIALIZE", options.serialize.c_str(), 1);
  prepare(options);
  const sidl::rmi::Server server = sidl::rmi::ProtocolFactory::createServer(wanted.front());
  const std::vector<std::string> addresses = start(server, options, wanted);
  const PortFile port_file(options.port_file);
  if (!options.port_file.empty()) port_file.write(addresses, signals);
  if (const char* const file = std::getenv("SIDL_URL_FILE")) {
    sidl::job::publish_url(file, addresses.front());
  }
  announce(addresses, options);

  wait_for_end(signals);
  log(sidl_log_info, "shutting down: waiting for running calls");
  end_at_next(signals);
  const bool finished = server.drain(options.drain);
  if (!options.port_file.empty()) port_file.remove();
  if (finished) {
    for (const std::string& each : options.published) withdraw_object(each);
    log(sidl_log_info, "stopped");
    return 0;
  }
  log(sidl_log_warning,
      "some calls did not finish in time (--drain): terminating without waiting for them");
  std::fflush(nullptr);
  ::_exit(1);  // no destructors: threads of calls still run
}

}  // namespace sidl_tool
