#include "impl/communicator.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "core/distribution.hpp"
#include "impl/own_server.hpp"
#include "impl/socket_folder.hpp"
#include "mpi/sidl_mpi.h"
#include "sidl_BaseException.hxx"

namespace shinar::par {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "libsidl_mpi-";
constexpr std::string_view kSuffix = ".so";

const sidl_mpi_functions* functions_of(const fs::path& library) {
  void* const handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw Misfit(std::string("cannot use MPI: ") + ::dlerror());
  const void* const found = ::dlsym(handle, "sidl_mpi");
  if (found == nullptr) throw Misfit(library.string() + " is none of Shinar's libraries");
  return static_cast<const sidl_mpi_functions*>(found);
}

// Of the libraries beside this one, that whose MPI the process has loaded: two do not get on.
const sidl_mpi_functions* find_functions() {
  Dl_info self = {};
  ::dladdr(reinterpret_cast<const void*>(&find_functions), &self);
  std::string known;
  std::error_code failure;
  for (const auto& entry :
       fs::directory_iterator(fs::path(self.dli_fname).parent_path(), failure)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) continue;
    const std::string mpi =
        name.substr(kPrefix.size(), name.size() - kPrefix.size() - kSuffix.size());
    void* const loaded = ::dlopen(mpi.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (loaded != nullptr) {
      ::dlclose(loaded);
      return functions_of(entry.path());
    }
    known += (known.empty() ? "" : ", ") + mpi;
  }
  throw Misfit(
      known.empty()
          ? "this Shinar was built without MPI: configure it with SHINAR_MPI_COMPILERS, or use "
            "Group.ofURLs"
          : "this process uses no MPI that this Shinar was built for, which are " + known +
                ": configure it with SHINAR_MPI_COMPILERS, or use Group.ofURLs");
}

const sidl_mpi_functions& functions() {
  static const sidl_mpi_functions* const found = find_functions();
  return *found;
}

void check_mpi(int error) {
  if (error == 0) return;
  char text[1024];
  functions().describe(error, text);
  throw Misfit(std::string("MPI says: ") + text);
}

// A communicator of the same processes, for this file alone.
class Communicator {
 public:
  explicit Communicator(int given) {
    int is_near = 0;
    check_mpi(functions().open(given, &own_, &rank_, &size_, &is_near));
    is_on_one_machine_ = is_near != 0;
  }
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  ~Communicator() { functions().close(own_); }

  int rank() const { return rank_; }
  bool is_on_one_machine() const { return is_on_one_machine_; }

  std::vector<std::string> gather(const std::string& mine) const {
    const auto ranks = static_cast<std::size_t>(size_);
    const int length = static_cast<int>(mine.size());
    std::vector<int> lengths(ranks);
    check_mpi(functions().gather(own_, &length, lengths.data(), sizeof length));
    const auto most = static_cast<std::size_t>(*std::ranges::max_element(lengths));
    std::string padded = mine;
    padded.resize(most);
    std::string all(most * ranks, '\0');
    check_mpi(functions().gather(own_, padded.data(), all.data(), static_cast<int>(most)));
    std::vector<std::string> result;
    for (std::size_t i = 0; i < ranks; ++i) {
      result.push_back(all.substr(i * most, static_cast<std::size_t>(lengths[i])));
    }
    return result;
  }

  // Rank 0's text, which has less than 4096 characters.
  std::string broadcast(const std::string& mine) const {
    char text[4096] = {};
    mine.copy(text, sizeof text - 1);
    check_mpi(functions().broadcast(own_, text, sizeof text));
    return text;
  }

 private:
  int own_ = 0;
  int rank_ = 0;
  int size_ = 0;
  bool is_on_one_machine_ = false;
};

// What a rank says of itself: a URL, or a blank and what has failed.
template <typename Work>
std::string said(Work work) {
  try {
    return work();
  } catch (const ::sidl::BaseException& failure) {
    return " " + failure.getNote();
  } catch (const std::exception& failure) {
    return std::string(" ") + failure.what();
  }
}

void check(const std::vector<std::string>& said_by_all) {
  for (std::size_t rank = 0; rank < said_by_all.size(); ++rank) {
    if (said_by_all[rank].starts_with(' ')) {
      throw Misfit("rank " + std::to_string(rank) + " has no server:" + said_by_all[rank]);
    }
  }
}

// Where each rank is to listen; empty: in a folder of all.
std::string place_of_own(const Communicator& ranks) {
  if (std::string url = own_url(); !url.empty()) return url;
  if (const char* const given = std::getenv("SIDL_LISTEN")) return given;
  if (ranks.is_on_one_machine()) return "";
  throw Misfit(
      "the ranks are on several machines: set SIDL_LISTEN to where each is to listen, such as "
      "simhandle://:0, and say who may call (docs/trust.md)");
}

std::string place_in_folder(const Communicator& ranks) {
  const std::string folder = ranks.broadcast(ranks.rank() == 0 ? make_socket_folder() : "");
  if (folder.empty()) throw Misfit("rank 0 cannot make a folder for sockets");
  return "simhandle+unix://" + socket_in(folder, ranks.rank());
}

}  // namespace

Job job_of_communicator(std::int32_t communicator) {
  if (functions().is_initialized() == 0) {
    throw Misfit("MPI is not initialized: call MPI_Init before Group.ofCommunicator");
  }
  const Communicator ranks(communicator);
  std::string place = said([&] { return place_of_own(ranks); });
  const std::vector<std::string> places = ranks.gather(place);
  check(places);
  if (std::ranges::find(places, "") != places.end()) {
    const std::string other = place_in_folder(ranks);
    if (place.empty()) place = other;
  }
  Job job{ranks.gather(said([&] { return serve_somewhere(place); })), ranks.rank()};
  check(job.urls);
  return job;
}

}  // namespace shinar::par
