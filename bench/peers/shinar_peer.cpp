// Shinar in the benchmark of its peers: `bench.hpp` is their harness and says what is measured.
//
//   shinar_peer server | client | conns [options of the harness]
#include <atomic>

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
    const auto count = static_cast<int32_t>(n);
    auto id = sidl::array<int32_t>::create1d(count);
    auto xyz = sidl::array<double>::create2dRow(count, 3);
    auto name = sidl::array<std::string>::create1d(count);
    const std::vector<bench::Rec> all = bench::records(n);
    for (int32_t i = 0; i < count; ++i) {
      const bench::Rec& record = all[static_cast<size_t>(i)];
      id.set(i, record.id);
      xyz.set(i, 0, record.x);
      xyz.set(i, 1, record.y);
      xyz.set(i, 2, record.z);
      name.set(i, record.name);
    }
    records_.set_id(id);
    records_.set_xyz(xyz);
    records_.set_name(name);
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
  benchp::Records records_;
};

class Shinar : public bench::Peer {
 public:
  void serve(const bench::Options&) override {
    sidl::rmi::ExportRegistry::exportClass("benchp.Target");
    const auto orb = sidlx::rmi::SimpleOrb::_create();
    const std::string url = orb.listen("simhandle://127.0.0.1:0");
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
