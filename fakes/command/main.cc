// fakenic: runs programs on the fake NIC, and says why one would not start on it.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "cm/address.h"
#include "command/doctor.h"
#include "command/fabric.h"
#include "command/loader.h"
#include "command/offer.h"
#include "wire/directory.h"

namespace {

namespace fs = std::filesystem;

constexpr int kFound = 1;
constexpr int kUnusable = 3;
constexpr int kUsage = 64;
constexpr int kNotRunnable = 126;
constexpr int kNoProgram = 127;

struct Options {
  std::string fake_dir;
  std::string profile, device, platform;
  bool explain = false;
  std::string fabric, host;
  std::vector<std::string> addresses;
  unsigned clock_rate = 0;
  std::string link_a, link_b, link_state;
  double delay_ms = 0;
  std::string program;
  std::vector<std::string> command;
};

std::string DefaultFakeDir() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  return (self.parent_path().parent_path() / "lib/fakenic").string();
}

// As a shell finds a command: by its path, or on PATH. The name itself if it is not there.
std::string FindProgram(const std::string& name) {
  const char* path = std::getenv("PATH");
  if (name.find('/') != std::string::npos || path == nullptr) return name;
  std::istringstream directories(path);
  for (std::string directory; std::getline(directories, directory, ':');) {
    const std::string candidate = directory + "/" + name;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return name;
}

int Doctor(const Options& options) {
  if (!fakenic::PrintOffer(options.fake_dir, std::cout)) return kUnusable;
  if (options.program.empty()) return 0;
  const std::string program = FindProgram(options.program);
  const auto findings = fakenic::Examine(program, options.fake_dir);
  for (const fakenic::Finding& finding : findings) {
    std::cout << "\n" << finding.cause << "\n  fix: " << finding.fix << "\n";
  }
  if (!findings.empty()) return kFound;
  std::cout << "\n" << program << ": starts on the fake\n";
  return 0;
}

// The directory in which programs meet; empty if they are told not to.
std::string FabricDirectory(const Options& options) {
  return options.fabric.empty() ? fakenic::FabricPath().value_or("") : options.fabric;
}

int Ps(const Options& options) {
  return fakenic::PrintFabric(FabricDirectory(options), std::cout, std::cerr);
}

int Link(const Options& options) {
  if (options.link_state == "slow" && options.delay_ms <= 0) {
    std::cerr << "fakenic: link slow needs a delay, as in: fakenic link A B slow 20ms\n";
    return kUsage;
  }
  return fakenic::SetLink(FabricDirectory(options), options.link_a, options.link_b,
                          options.link_state, static_cast<unsigned>(options.delay_ms * 1000),
                          std::cerr);
}

// Says what is wrong with the network that the program shall be part of.
int CheckNetwork(const Options& options) {
  if (options.host.empty() && !options.addresses.empty()) {
    std::cerr << "fakenic: --addr needs the name of the host that has it: --host NAME\n";
    return kUsage;
  }
  for (const std::string& address : options.addresses) {
    if (fakenic::Address::Parse(address.c_str()).specified()) continue;
    std::cerr << "fakenic: --addr " << address << ": expected an IPv4 or IPv6 address\n";
    return kUsage;
  }
  const std::string directory = FabricDirectory(options);
  if (directory.empty() || directory == "off") {
    if (options.host.empty()) return 0;
    std::cerr << "fakenic: --host needs a fabric, and FAKENIC_FABRIC is off\n";
    return kUsage;
  }
  return fakenic::CheckFabric(directory, std::cerr) ? 0 : kUnusable;
}

void SetNetwork(const Options& options) {
  if (!options.fabric.empty()) setenv("FAKENIC_FABRIC", options.fabric.c_str(), 1);
  if (!options.host.empty()) {
    setenv("FAKENIC_HOST", options.host.c_str(), 1);
    std::string addresses;
    for (const std::string& address : options.addresses) {
      addresses.append(addresses.empty() ? "" : ",").append(address);
    }
    setenv("FAKENIC_ADDR", addresses.c_str(), 1);
  }
  if (options.clock_rate > 0) {
    setenv("FAKENIC_CLOCK_RATE", std::to_string(options.clock_rate).c_str(), 1);
  }
}

int Env(const Options& options) {
  std::cout << "export LD_LIBRARY_PATH='" << options.fake_dir
            << "'\"${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}\"\n";
  return 0;
}

int Run(const Options& options) {
  if (const int status = CheckNetwork(options)) return status;
  SetNetwork(options);
  setenv("LD_LIBRARY_PATH", fakenic::LibraryPath(options.fake_dir).c_str(), 1);
  if (!options.profile.empty()) setenv("FAKENIC_PROFILE", options.profile.c_str(), 1);
  if (!options.device.empty()) setenv("FAKENIC_DEVICE", options.device.c_str(), 1);
  if (!options.platform.empty()) setenv("FAKENIC_PLATFORM", options.platform.c_str(), 1);
  if (options.explain) setenv("FAKENIC_EXPLAIN", "1", 1);
  std::vector<char*> arguments;
  for (const std::string& word : options.command) {
    arguments.push_back(const_cast<char*>(word.c_str()));
  }
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  const int error = errno;
  std::cerr << "fakenic: " << arguments[0] << ": " << std::strerror(error) << "\n";
  return error == ENOENT ? kNoProgram : kNotRunnable;
}

void AddRun(CLI::App& run, Options& options) {
  run.add_option("--profile", options.profile, "the device that the fake behaves like")
      ->check(CLI::IsMember({"spec", "mlx5", "mlx5-drop", "rxe"}));
  run.add_option("--device", options.device, "the device's name");
  run.add_option("--platform", options.platform,
                 "what lies between the NIC and persistent memory, for tests that fail the power")
      ->check(CLI::IsMember({"adr", "adr-ddio", "eadr"}));
  run.add_option("--fabric", options.fabric,
                 "the directory in which programs meet, or off; the default is one of the user's");
  run.add_option("--host", options.host, "the host that the program runs on, by any name")
      ->check(CLI::Validator(
          [](const std::string& name) {
            return name.size() < 32 ? "" : std::string("a name of at most 31 characters");
          },
          "NAME"));
  run.add_option("--addr", options.addresses, "an address of that host; may be given again")
      ->allow_extra_args(false);
  run.add_option("--clock-rate", options.clock_rate,
                 "let time-outs pass so many times as fast as they would")
      ->check(CLI::Range(1, 1000000));
  run.add_flag("--explain", options.explain, "print the first cause of every error");
  run.add_option("PROGRAM", options.command, "the program and its arguments, after --")->required();
}

void AddLink(CLI::App& link, Options& options) {
  link.add_option("A", options.link_a, "a host, as run --host named it")->required();
  link.add_option("B", options.link_b, "the other; \"machine\" is the one without a name")
      ->required();
  link.add_option("STATE", options.link_state, "cut: nothing passes; slow: later; up: as new")
      ->required()
      ->check(CLI::IsMember({"up", "cut", "slow"}));
  link.add_option("DELAY", options.delay_ms, "of slow, each way, as in 20ms or 0.5ms")
      ->transform(CLI::AsNumberWithUnit(std::map<std::string, double>{{"ms", 1}, {"s", 1000}}));
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  options.fake_dir = DefaultFakeDir();
  CLI::App app("Runs programs on the fake NIC.", "fakenic");
  app.require_subcommand(1);
  app.add_option("--fake-dir", options.fake_dir, "where the fake's libraries are");
  CLI::App* doctor = app.add_subcommand(
      "doctor", "say what the fake offers, and why a program would not start on it");
  doctor->add_option("PROGRAM", options.program, "a program, or a library that one loads");
  CLI::App* env = app.add_subcommand("env", "print what a shell has to export");
  CLI::App* run = app.add_subcommand("run", "run a program on the fake; those of one user meet");
  AddRun(*run, options);
  CLI::App* ps = app.add_subcommand("ps", "list hosts, programs and their queue pairs");
  CLI::App* link = app.add_subcommand("link", "cut, slow or mend the link between two hosts");
  AddLink(*link, options);
  for (CLI::App* command : {ps, link}) {
    command->add_option("--fabric", options.fabric, "the directory in which programs meet");
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kUsage;
  }
  if (*doctor) return Doctor(options);
  if (*env) return Env(options);
  if (*ps) return Ps(options);
  if (*link) return Link(options);
  return *run ? Run(options) : kUsage;
}
