// Runs plans with nodes of servers and of its own, of each server in turn, then here:
//
//   chains_driver <threads> <1: it is a server, too, so that all of them may call its nodes> <url>…
//
// Reads lines. "new" makes the nodes: of each process a Free one for all threads, and a Node for
// each thread. "run", a tab and a plan for each thread, with tabs between them, says what came of
// each. "done" says of all nodes how many plans they have run, and the sum of their results: first
// those for all threads, then those of the first thread … "alive" says how many nodes each process
// has.
#include <cstdio>
#include <iostream>
#include <sstream>

#include "plan.hpp"
#include "sidl_rmi_ProtocolFactory.hxx"
#include "sidl_rmi_Server.hxx"

namespace {

class Driver {
 public:
  Driver(int threads, std::vector<std::string> urls) : nodes_(threads), urls_(std::move(urls)) {}

  void drop() {
    free_.clear();
    for (auto& own : nodes_) own.clear();
  }

  void make() {
    drop();
    const size_t processes = urls_.size() + 1;
    for (size_t i = 0; i < processes; ++i) {
      free_.push_back(i < urls_.size() ? chains::Free::_create(urls_[i]) : chains::Free::_create());
    }
    for (auto& own : nodes_) {
      for (size_t i = 0; i < processes; ++i) {
        own.push_back(i < urls_.size() ? chains::Node::_create(urls_[i]) : chains::Node::_create());
      }
    }
  }

  /** The results, in words. */
  std::string run(const std::vector<std::string>& plans) {
    std::vector<std::string> results(plans.size());
    std::vector<std::thread> threads;
    for (size_t i = 0; i < plans.size(); ++i) {
      threads.emplace_back([&, i] { results[i] = result(plans[i], nodes(i)); });
    }
    for (std::thread& each : threads) each.join();
    std::string all;
    for (const std::string& each : results) all += (all.empty() ? "" : "\t") + each;
    return all;
  }

  /** What all have done. */
  std::string done() {
    std::vector<chains::Node> all = free_;
    for (const auto& own : nodes_) all.insert(all.end(), own.begin(), own.end());
    std::string said;
    for (chains::Node& each : all) {
      int64_t runs, sum;
      each.done(runs, sum);
      said += (said.empty() ? "" : "\t") + std::to_string(runs) + " " + std::to_string(sum);
    }
    return said;
  }

  std::string alive() {
    std::string said;
    for (chains::Node& each : free_)
      said += (said.empty() ? "" : "\t") + std::to_string(each.alive());
    return said;
  }

 private:
  /** Those that a thread's plans may call: its own, then those for all. */
  chains_plan::Nodes nodes(size_t thread) const {
    std::vector<chains::Node> all = nodes_[thread];
    all.insert(all.end(), free_.begin(), free_.end());
    auto found = chains_plan::Nodes::create1d(static_cast<int32_t>(all.size()));
    for (size_t i = 0; i < all.size(); ++i) found.set(static_cast<int32_t>(i), all[i]);
    return found;
  }

  static std::string result(const std::string& plan, const chains_plan::Nodes& nodes) {
    try {
      const auto [found, is_thrown] = chains_plan::run(plan, nodes);
      return std::to_string(found + is_thrown);
    } catch (sidl::BaseException& failed) {
      // What is said is one word of a line.
      std::string note = failed.getClassInfo().getName() + ": " + failed.getNote();
      std::replace_if(
          note.begin(), note.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
      return note;
    }
  }

  std::vector<chains::Node> free_;
  std::vector<std::vector<chains::Node>> nodes_;
  std::vector<std::string> urls_;
};

std::vector<std::string> words(const std::string& line) {
  std::vector<std::string> found;
  std::istringstream from(line);
  for (std::string word; std::getline(from, word, '\t');) found.push_back(word);
  return found;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const bool serves = argv[2][0] == '1';
  try {
    const char* const address = "simhandle://127.0.0.1:0";
    sidl::rmi::Server server;
    if (serves) {
      server = sidl::rmi::ProtocolFactory::createServer(address);
      server.listen(address);
      server.run();
    }
    Driver driver(std::atoi(argv[1]), {argv + 3, argv + argc});
    for (std::string line; std::getline(std::cin, line);) {
      const auto all = words(line);
      if (all[0] == "new") {
        driver.make();
        std::cout << "made" << std::endl;
      } else if (all[0] == "run") {
        std::cout << driver.run({all.begin() + 1, all.end()}) << std::endl;
      } else if (all[0] == "alive") {
        std::cout << driver.alive() << std::endl;
      } else {
        std::cout << driver.done() << std::endl;
      }
    }
    driver.drop();
    if (serves) server.drain(5);
  } catch (sidl::BaseException& failed) {
    std::cerr << "chains_driver: " << failed.getNote() << std::endl;
    return 1;
  }
}
