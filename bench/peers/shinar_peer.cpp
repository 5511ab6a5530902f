// Shinar in the benchmark of its peers: `bench.hpp` is their harness and says what is measured.
//
//   shinar_peer server | client | conns [options of the harness]
//
// BENCH_URL is where it listens, simhandle://127.0.0.1:0 if there is none.
#include <atomic>
#include <cstdlib>

#include "bench.hpp"
#include "benchp.hxx"
#include "sidl_rmi_ExportRegistry.hxx"
#include "sidlx_rmi.hxx"

namespace {

class Caller : public bench::Client {
 public:
  explicit Caller(const std::string& url) : target_(benchp::Target::_create(url)) {}

  void noop() override { target_.noop(); }
  void prep_echo(size_t n) override { fill(n); }
  void echo() override { result_ = target_.echo(values_); }
  double echo_last() override { return result_.get(result_.upper(0)); }
  void prep_sum(size_t n) override { fill(n); }
  double sum() override { return target_.sum(values_); }
  void prep_structs(size_t n) override {
    records_ = sidl::array<benchp::Record>::create1d(static_cast<int64_t>(n));
    benchp::Record* place = records_.first();
    for (const bench::Rec& record : bench::records(n)) {
      place->id = record.id;
      place->x = record.x;
      place->y = record.y;
      place->z = record.z;
      place->set_name(record.name);
      ++place;
    }
  }
  double structs() override { return target_.score(records_); }

 private:
  void fill(size_t n) {
    values_ = sidl::array<double>::create1d(static_cast<int32_t>(n));
    for (size_t i = 0; i < n; ++i) values_.first()[i] = bench::value(i);
  }

  benchp::Target target_;
  sidl::array<double> values_;
  sidl::array<double> result_;
  sidl::array<benchp::Record> records_;
};

class Shinar : public bench::Peer {
 public:
  void serve(const bench::Options&) override {
    sidl::rmi::ExportRegistry::exportClass("benchp.Target");
    const auto orb = sidlx::rmi::SimpleOrb::_create();
    const char* const address = std::getenv("BENCH_URL");
    const std::string url = orb.listen(address == nullptr ? "simhandle://127.0.0.1:0" : address);
    orb.run();
    bench::ready(url);
    for (;;) pause();
  }
  std::unique_ptr<bench::Client> connect(const bench::Options& options) override {
    return std::make_unique<Caller>(options.endpoint);
  }
};

}  // namespace

int main(int argc, char** argv) {
  Shinar peer;
  return bench::run(argc, argv, peer);
}
