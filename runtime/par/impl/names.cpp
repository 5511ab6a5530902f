#include "impl/names.hpp"

#include <algorithm>
#include <thread>

#include "impl/serving.hpp"
#include "sidl_name_file.hxx"
#include "sidl_protocol.hxx"
#include "sidl_rmi_TimeOutException.hxx"

namespace shinar::par {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFirstPause{5};
constexpr milliseconds kLongestPause{200};

}  // namespace

std::vector<std::string> await_urls(const std::string& folder, const std::string& program,
                                    int ranks, std::chrono::steady_clock::time_point until) {
  std::vector<std::string> urls;
  milliseconds pause = kFirstPause;
  while (static_cast<int>(urls.size()) < ranks) {
    const std::string name = program + "." + std::to_string(urls.size());
    const std::string file = folder + "/" + name + ".url";
    const std::string text = ::sidl::job::read_new_file(file);
    if (std::string url = text.substr(0, text.find('\n')); !url.empty()) {
      urls.push_back(std::move(url));
      continue;
    }
    if (std::chrono::steady_clock::now() >= until) {
      ::sidl::protocol::fail<::sidl::rmi::TimeOutException>(
          "rank " + std::to_string(urls.size()) + " of '" + program +
          "' has not come within the time: its URL is not in " + file);
    }
    throw_if_interrupted("waiting for other ranks was interrupted");
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, kLongestPause);
  }
  return urls;
}

}  // namespace shinar::par
