#include "impl/job.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include "core/distribution.hpp"
#include "impl/names.hpp"
#include "impl/own_server.hpp"
#include "sidl_name_file.hxx"

namespace shinar::par {
namespace {

std::string variable(const std::string& name) {
  const char* const text = std::getenv(name.c_str());
  if (text != nullptr) return text;
  throw Misfit("the environment has no " + name +
               ": this process was not started by 'sidl launch'; use Group.ofURLs");
}

int number(const std::string& name, const char* what) {
  const std::string text = variable(name);
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw Misfit(name + "=" + text + " is no " + what);
  }
  return value;
}

std::string urls_variable(std::string program) {
  std::ranges::transform(program, program.begin(), [](unsigned char each) {
    return each == '-' ? '_' : static_cast<char>(std::toupper(each));
  });
  return "SIDL_URLS_" + program;
}

void publish(const std::string& file, const std::string& url) {
  try {
    ::sidl::job::publish_url(file, url);
  } catch (const std::runtime_error& failure) {
    throw Misfit(failure.what());
  }
}

}  // namespace

Job job_of_process(std::chrono::steady_clock::time_point until) {
  const std::string program = variable("SIDL_PROGRAM");
  Job job{};
  job.rank = number("SIDL_RANK", "rank");
  const std::string name = urls_variable(program);
  const char* const folder = std::getenv("SIDL_NAMES");
  if (std::getenv(name.c_str()) == nullptr && folder != nullptr) {
    // The ranks may be on several hosts: each chooses a port, and says which.
    const int ranks = number("SIDL_RANKS", "number of ranks");
    publish(variable("SIDL_URL_FILE"), serve_somewhere(variable("SIDL_LISTEN")));
    job.urls = await_urls(folder, program, ranks, until);
    return job;
  }
  std::istringstream urls(variable(name));
  for (std::string url; urls >> url;) job.urls.push_back(url);
  return job;
}

}  // namespace shinar::par
