#include "launch.hpp"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <memory>

#include "checks.hpp"
#include "job.hpp"
#include "launchers/launcher.hpp"
#include "launchers/outer_job.hpp"
#include "places.hpp"
#include "printable.hpp"
#include "running_job.hpp"
#include "usage_error.hpp"

namespace sidl_tool {
namespace {

constexpr const char* any_address = "simhandle://0.0.0.0:0";

constexpr const char* launch_footer = R"(
JOB is a file in TOML with a table for each program:

  [ocean]
  ranks = 3
  serve = ["ocean.Part"]

  [atmosphere]
  command = ["python3", "atmosphere.py"]
  calls = ["ocean"]

Each line that a process writes gets its program and rank in front. The job ends
when all processes but servers have, and when one fails: then all others are told
to end, and the exit status is that of the first one that failed.)";

/** What the command line says, or else the job. */
const std::string& chosen(const std::string& option, const std::string& of_job) {
  return option.empty() ? of_job : option;
}

std::unique_ptr<Launcher> launcher_of(const Job& job, const LaunchOptions& options) {
  const std::string& name = chosen(options.launcher, job.launcher);
  return make_launcher(name.empty() ? "auto" : name, options.of_launcher);
}

std::unique_ptr<Places> places_of(const Job& job, const LaunchOptions& options,
                                  const Launcher& launcher) {
  const std::string& hosts = chosen(options.hosts, job.hosts);
  const std::string& address = chosen(options.listen, job.listen);
  const std::string source = options.listen.empty() ? job.listen_source : "--listen";
  const bool is_one =
      hosts.empty() ? address.empty() && launcher.is_on_this_host() : hosts == "one";
  if (!is_one)
    return ports_of_hosts(address.empty() ? any_address : address, source, options.shared);
  if (address.empty()) return sockets_of_this_host(job);
  throw UsageError(source + ": servers of one host listen at Unix-domain sockets; for '" +
                   in_one_line(address) + "' use --hosts=many");
}

void add_launcher_options(CLI::App& command, LaunchOptions& options) {
  std::string names;
  for (const std::string& each : launcher_names()) names += (names.empty() ? "" : "|") + each;
  command
      .add_option("--launcher", options.launcher,
                  "What starts the ranks; auto is slurm within an allocation, and else processes "
                  "(default auto)")
      ->type_name(names)
      ->check(one_of(launcher_names()));
  command
      .add_option("--launcher-option", options.of_launcher.arguments,
                  "One more argument for mpiexec or srun; repeatable")
      ->type_name("ARGUMENT")
      ->allow_extra_args(false)
      ->take_all();
  command
      .add_option("--mpiexec", options.of_launcher.mpiexec,
                  "The program to use for --launcher=mpiexec (SIDL_MPIEXEC; default mpiexec)")
      ->type_name("PROGRAM");
  command
      .add_option("--hosts", options.hosts,
                  "Whether the ranks are on this host (one) or may be on others (many); by the "
                  "launcher, if not given")
      ->type_name("one|many")
      ->check(one_of({"one", "many"}));
  command
      .add_option("--listen", options.listen,
                  std::string("With several hosts: where each server listens (default ") +
                      any_address + ")")
      ->type_name("URL");
  command
      .add_option("--shared", options.shared,
                  "With several hosts: a folder that all of them have, for one of the job's own")
      ->type_name("FOLDER")
      ->capture_default_str();
}

}  // namespace

CLI::App* add_launch(CLI::App& app, LaunchOptions& options) {
  CLI::App* const command =
      app.add_subcommand("launch", "Start the programs of a job, each with its ranks");
  command->add_option("JOB", options.job, "The job, in TOML")->type_name("")->required();
  const auto add = [&](const char* name, double& to, const char* about) {
    command->add_option(name, to, about)
        ->type_name("SECONDS")
        ->check([](const std::string& given) {
          const double seconds = std::strtod(given.c_str(), nullptr);
          return seconds >= 0 && seconds <= 1e6 ? "" : "must be from 0 to 1000000, not " + given;
        })
        ->capture_default_str();
  };
  add("--wait", options.wait, "How long servers may take until they serve");
  add("--grace", options.grace, "How long processes may take to end when they are told to");
  command
      ->add_option("--ranks", options.ranks,
                   "How many ranks a program has, instead of what the job says; repeatable")
      ->type_name("PROGRAM=N")
      ->allow_extra_args(false)
      ->take_all();
  command->add_option("--report", options.report)->group("");  // of sidl.par.Launcher
  add_launcher_options(*command, options);
  command->add_flag("--dry-run", options.is_dry_run,
                    "Print what would be started, and start nothing");
  command->footer(launch_footer);
  return command;
}

int launch(const LaunchOptions& options) {
  forget_outer_job();
  Job job = read_job(options.job);
  for (const std::string& each : options.ranks) set_ranks(job, each);
  const auto launcher = launcher_of(job, options);
  const auto places = places_of(job, options, *launcher);
  const Report report(options.report);
  std::string servers = "servers";
  for (const Program& each : job.programs) servers += each.is_server ? " " + each.name : "";
  report.tell(servers);
  RunningJob running(job, *launcher, *places, {options.wait, options.grace}, report);
  if (options.is_dry_run) {
    running.print();
    return 0;
  }
  launcher->check();
  const int status = running.run();
  report.tell("ended " + std::to_string(status));
  return status;
}

}  // namespace sidl_tool
