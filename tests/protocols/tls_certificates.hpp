/**
 * Certificates for tests: an authority, and what it has signed, in a folder of the process.
 */
#ifndef SHINAR_TESTS_TLS_CERTIFICATES_HPP
#define SHINAR_TESTS_TLS_CERTIFICATES_HPP

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "sidl_trust.h"

class Certificates {
 public:
  static const Certificates& instance() {
    static const Certificates made;
    return made;
  }
  Certificates(const Certificates&) = delete;
  Certificates& operator=(const Certificates&) = delete;
  ~Certificates() {
    if (::getpid() == made_by_) std::filesystem::remove_all(folder_);
  }

  std::string path(const std::string& name) const { return folder_ / name; }

  /** The server's, and the authority that clients believe; neither asks clients for theirs. */
  void use() const {
    ::sidl_trust_set_file(sidl_trust_authorities, path("ca.pem").c_str());
    ::sidl_trust_set_file(sidl_trust_certificate, path("server.pem").c_str());
    ::sidl_trust_set_file(sidl_trust_key, path("server.key").c_str());
    ::sidl_trust_set_file(sidl_trust_client_authorities, "");
    ::sidl_trust_set_file(sidl_trust_revoked, "");
  }

 private:
  Certificates() {
    std::string name = std::filesystem::temp_directory_path() / "shinar-tls-XXXXXX";
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    make_authority("ca");
    make_authority("stranger");
    sign("ca", "server", "IP:127.0.0.1,DNS:localhost");
    sign("ca", "elsewhere", "DNS:elsewhere.example");
    sign("ca", "localhost", "email:of.that@example.org");
    sign("ca", "alice", "email:alice@example.org");
    sign("stranger", "strange", "IP:127.0.0.1");
  }

  void run(const std::string& command) const {
    const std::string all = "cd '" + folder_.string() + "' && openssl " + command + " 2>log";
    EXPECT_EQ(std::system(all.c_str()), 0) << command;
  }
  static std::string key(const std::string& name) {
    return "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout " + name + ".key ";
  }
  void make_authority(const std::string& name) const {
    run("req -x509 -days 2 -subj /CN=" + name + " " + key(name) + "-out " + name + ".pem");
  }
  void sign(const std::string& authority, const std::string& name,
            const std::string& alternatives) const {
    std::ofstream(folder_ / "extensions") << "subjectAltName=" << alternatives << '\n';
    run("req -subj /CN=" + name + " " + key(name) + "-out request");
    run("x509 -req -days 1 -in request -CA " + authority + ".pem -CAkey " + authority +
        ".key -CAcreateserial -extfile extensions -out " + name + ".pem");
  }

  const pid_t made_by_ = ::getpid();
  std::filesystem::path folder_;
};

#endif
