#include "impl/job.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <sstream>

#include "core/distribution.hpp"

namespace shinar::par {
namespace {

std::string variable(const std::string& name) {
  const char* const text = std::getenv(name.c_str());
  if (text != nullptr) return text;
  throw Misfit("the environment has no " + name +
               ": this process was not started by 'sidl launch'; use Group.ofURLs");
}

}  // namespace

Job job_of_process() {
  std::string name = variable("SIDL_PROGRAM");
  std::ranges::transform(name, name.begin(), [](unsigned char each) {
    return each == '-' ? '_' : static_cast<char>(std::toupper(each));
  });
  Job job{};
  std::istringstream urls(variable("SIDL_URLS_" + name));
  for (std::string url; urls >> url;) job.urls.push_back(url);
  const std::string rank = variable("SIDL_RANK");
  const auto [end, error] = std::from_chars(rank.data(), rank.data() + rank.size(), job.rank);
  if (error != std::errc() || end != rank.data() + rank.size()) {
    throw Misfit("SIDL_RANK=" + rank + " is no rank");
  }
  return job;
}

}  // namespace shinar::par
