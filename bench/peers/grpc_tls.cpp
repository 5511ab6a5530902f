// gRPC over TLS in the benchmark of peers, beside Shinar over TLS: synchronous server and stubs, as
// the benchmark's own program without TLS. The environment names the files, BENCH_TLS_CA, _CERT and
// _KEY.
//
//   grpc_tls server | client | conns [options of the harness]
#include <grpcpp/grpcpp.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>

#include "bench.grpc.pb.h"
#include "bench.hpp"

namespace {

std::string contents_of(const char* variable) {
  const char* const path = std::getenv(variable);
  std::ifstream file(path == nullptr ? "" : path);
  if (!file) throw std::runtime_error(std::string(variable) + " names no file");
  return {std::istreambuf_iterator<char>(file), {}};
}

class Target final : public bg::Bench::Service {
  using Status = grpc::Status;
  using Context = grpc::ServerContext;

  Status Noop(Context*, const bg::Empty*, bg::Empty*) override { return Status::OK; }
  Status Echo(Context*, const bg::Doubles* values, bg::Doubles* result) override {
    *result->mutable_v() = values->v();
    return Status::OK;
  }
  Status Sum(Context*, const bg::Doubles* values, bg::One* result) override {
    result->set_v(bench::sum(values->v().data(), static_cast<size_t>(values->v_size())));
    return Status::OK;
  }
  Status Structs(Context*, const bg::Recs* records, bg::One* result) override {
    double score = 0;
    for (const bg::Rec& each : records->r()) {
      const std::string& name = each.name();
      score += bench::score(each.id(), each.x(), each.y(), each.z(), name.data(), name.size());
    }
    result->set_v(score);
    return Status::OK;
  }
};

void check(const grpc::Status& status) {
  if (!status.ok()) throw std::runtime_error("grpc: " + status.error_message());
}

class Caller : public bench::Client {
 public:
  explicit Caller(const std::shared_ptr<grpc::Channel>& channel)
      : target_(bg::Bench::NewStub(channel)) {}

  void noop() override {
    bg::Empty nothing;
    call(&bg::Bench::Stub::Noop, nothing, nothing_);
  }
  void prep_echo(size_t n) override { fill(n); }
  void echo() override { call(&bg::Bench::Stub::Echo, values_, result_); }
  double echo_last() override { return result_.v(result_.v_size() - 1); }
  void prep_sum(size_t n) override { fill(n); }
  double sum() override {
    call(&bg::Bench::Stub::Sum, values_, one_);
    return one_.v();
  }
  void prep_structs(size_t n) override {
    records_.Clear();
    for (const bench::Rec& each : bench::records(n)) {
      bg::Rec* const record = records_.add_r();
      record->set_id(each.id);
      record->set_x(each.x);
      record->set_y(each.y);
      record->set_z(each.z);
      record->set_name(each.name);
    }
  }
  double structs() override {
    call(&bg::Bench::Stub::Structs, records_, one_);
    return one_.v();
  }

 private:
  template <class Method, class Argument, class Result>
  void call(Method method, const Argument& argument, Result& result) {
    grpc::ClientContext context;
    check((target_.get()->*method)(&context, argument, &result));
  }
  void fill(size_t n) {
    values_.Clear();
    values_.mutable_v()->Reserve(static_cast<int>(n));
    for (size_t i = 0; i < n; ++i) values_.add_v(bench::value(i));
  }

  std::unique_ptr<bg::Bench::Stub> target_;
  bg::Empty nothing_;
  bg::Doubles values_, result_;
  bg::Recs records_;
  bg::One one_;
};

class Grpc : public bench::Peer {
 public:
  void serve(const bench::Options&) override {
    Target target;
    grpc::SslServerCredentialsOptions files;
    files.pem_key_cert_pairs.push_back(
        {contents_of("BENCH_TLS_KEY"), contents_of("BENCH_TLS_CERT")});
    grpc::ServerBuilder builder;
    int port = 0;
    builder.AddListeningPort("127.0.0.1:0", grpc::SslServerCredentials(files), &port);
    builder.SetMaxReceiveMessageSize(-1);
    builder.SetMaxSendMessageSize(-1);
    builder.RegisterService(&target);
    const auto server = builder.BuildAndStart();
    if (server == nullptr) throw std::runtime_error("grpc: the server did not start");
    bench::ready("127.0.0.1:" + std::to_string(port));
    server->Wait();
  }
  std::unique_ptr<bench::Client> connect(const bench::Options& options) override {
    grpc::ChannelArguments arguments;
    arguments.SetMaxReceiveMessageSize(-1);
    arguments.SetMaxSendMessageSize(-1);
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);  // a connection for each
    const auto credentials = grpc::SslCredentials({contents_of("BENCH_TLS_CA"), "", ""});
    return std::make_unique<Caller>(
        grpc::CreateCustomChannel(options.endpoint, credentials, arguments));
  }
};

}  // namespace

int main(int argc, char** argv) {
  Grpc peer;
  return bench::run(argc, argv, peer);
}
