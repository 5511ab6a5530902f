// Runs scripts (model.py): driver URL|- SCRIPT [SCRIPT OF A THREAD]...
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <fstream>
#include <iostream>
#include <sstream>
#include <thread>

#include "dispatch.hpp"

namespace {

enum { NEW = 1, CALL, DROP, COPY, TELL, FORK };
constexpr size_t slot_count = 40, shared = 8, objects = 6, numbers = 16, pad_size = 6000;
using Step = std::array<int64_t, numbers>;

std::string url;

template <class Class>
mx::Cell create(bool is_far) {
  return is_far ? Class::_create(url) : Class::_create();
}

// A thread's own.
struct Run {
  explicit Run(std::ostream& to) : slots(slot_count), out(to) {}

  mx::Cell& slot(int64_t number) { return slots[static_cast<size_t>(number)]; }

  void call(const Step& step) {
    Cells in, got;
    for (size_t i = 0; i < objects; ++i) {
      in.push_back(step[4 + i] >= 0 ? slot(step[4 + i]) : mx::Cell());
    }
    const mx::Cell target = slot(step[1]);
    const auto code = dispatch(step[2], target, step[3], in, got);
    if (code) {
      out << *code << '\n';
    } else {
      out << "no child\n";
    }
    for (size_t i = 0; i < got.size(); ++i) {
      const int64_t place = step[4 + objects + i];
      if (place >= 0) slot(place) = got[i];
    }
  }

  void tell(const mx::Cell& cell) {
    if (cell._is_nil()) {
      out << "null\n";
      return;
    }
    const int64_t id = cell.id();
    out << id << ' ' << cell.total() << '\n';
  }

  // As tell, of a child that then ends, and of this process.
  void fork_and_tell(int64_t number) {
    int ends[2];
    if (pipe(ends) != 0) std::abort();
    const pid_t child = fork();
    if (child == 0) {
      close(ends[0]);
      std::ostringstream said;
      Run own(said);
      own.slot(number) = slot(number);
      own.run_and_tell({TELL, number});
      const std::string text = said.str();
      const ssize_t written = write(ends[1], text.data(), text.size());
      slot(number) = own.slot(number) = mx::Cell();
      _exit(written < 0);
    }
    close(ends[1]);
    std::string there(400, '\0');
    std::exception_ptr failed;
    std::ostringstream said;
    try {
      Run own(said);
      own.tell(slot(number));
    } catch (...) {
      failed = std::current_exception();
    }
    const ssize_t got = read(ends[0], there.data(), there.size());
    there.resize(got > 0 ? static_cast<size_t>(got) : 0);
    close(ends[0]);
    waitpid(child, nullptr, 0);
    if (failed) std::rethrow_exception(failed);
    const std::string here = said.str();
    out << here.substr(0, here.size() - 1) << ", child: " << there;
    if (there.empty() || there.back() != '\n') out << '\n';
  }

  void run(const Step& step) {
    mx::Cell& here = slot(step[1]);
    if (step[0] == NEW) {
      const bool is_far = step[3] && !url.empty();
      mx::Cell made = step[2] ? create<mx::Child>(is_far) : create<mx::Cell>(is_far);
      made.setId(step[4]);
      here = made;
      out << "new\n";
    } else if (step[0] == DROP) {
      here = mx::Cell();
      out << "drop\n";
    } else if (step[0] == COPY) {
      here = slot(step[2]);
      out << "copy\n";
    } else if (step[0] == FORK) {
      fork_and_tell(step[1]);
    } else if (step[0] == TELL || here._is_nil()) {
      tell(here);
    } else {
      call(step);
    }
  }

  void run_and_tell(const Step& step) {
    try {
      run(step);
    } catch (const sidl::BaseException& thrown) {
      out << mix_text(thrown) << '\n';
    }
  }

  // Runs a step above a stack that it must leave as it was.
  void run_on_pattern(const Step& step) {
    volatile unsigned char pad[pad_size];
    for (auto& byte : pad) byte = 0x55;
    run_and_tell(step);
    for (size_t i = 0; i < pad_size; ++i) {
      if (pad[i] != 0x55) {
        std::cout << "the stack was written to: byte " << i << " is " << int{pad[i]} << std::endl;
        std::exit(4);
      }
    }
  }

  void run_script(const char* path) {
    std::ifstream script(path);
    Step step{};
    for (long line = 0;; ++line) {
      for (auto& number : step) script >> number;
      if (!script) return;
      line % 2 ? run_on_pattern(step) : run_and_tell(step);
      out.flush();
    }
  }

  Cells slots;
  std::ostream& out;
};

// Several scripts at a time; what they say comes one after another.
void run_threads(Run& first, const std::vector<const char*>& scripts) {
  if (scripts.empty()) return;
  std::vector<std::ostringstream> said(scripts.size());
  std::vector<std::thread> threads;
  for (size_t i = 0; i < scripts.size(); ++i) {
    threads.emplace_back([&, i] {
      Run own(said[i]);
      for (size_t slot = 0; slot < shared; ++slot) own.slots[slot] = first.slots[slot];
      own.run_script(scripts[i]);
    });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& each : said) std::cout << each.str();
  for (size_t slot = 0; slot < shared; ++slot) first.tell(first.slots[slot]);
}

int64_t alive_at_last() {
  const mx::Cell last = mx::Cell::_create();
  for (int i = 0; i < 500 && last.alive() != 1; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return last.alive();
}

}  // namespace

int main(int, char** arguments) {
  url = std::string(arguments[1]) == "-" ? "" : arguments[1];
  std::vector<const char*> scripts;
  for (char** each = arguments + 3; *each; ++each) scripts.push_back(*each);
  {
    Run first(std::cout);
    first.run_script(arguments[2]);
    run_threads(first, scripts);
  }
  std::cout << "end " << alive_at_last() << std::endl;
}
