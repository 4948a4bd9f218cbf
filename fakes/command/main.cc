// fakenic: runs programs on the fake NIC, and says why one would not start on it.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "command/doctor.h"
#include "command/loader.h"
#include "command/offer.h"

namespace {

namespace fs = std::filesystem;

constexpr int kFound = 1;
constexpr int kUnusable = 3;
constexpr int kUsage = 64;
constexpr int kNotRunnable = 126;
constexpr int kNoProgram = 127;

struct Options {
  std::string fake_dir;
  std::string profile, device;
  bool explain = false;
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

int Env(const Options& options) {
  std::cout << "export LD_LIBRARY_PATH='" << options.fake_dir
            << "'\"${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}\"\n";
  return 0;
}

int Run(const Options& options) {
  setenv("LD_LIBRARY_PATH", fakenic::LibraryPath(options.fake_dir).c_str(), 1);
  if (!options.profile.empty()) setenv("FAKENIC_PROFILE", options.profile.c_str(), 1);
  if (!options.device.empty()) setenv("FAKENIC_DEVICE", options.device.c_str(), 1);
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
  CLI::App* run = app.add_subcommand("run", "run a program on the fake, in one process");
  run->add_option("--profile", options.profile, "the device that the fake behaves like")
      ->check(CLI::IsMember({"spec", "mlx5", "mlx5-drop", "rxe"}));
  run->add_option("--device", options.device, "the device's name");
  run->add_flag("--explain", options.explain, "print the first cause of every error");
  run->add_option("PROGRAM", options.command, "the program and its arguments, after --")
      ->required();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kUsage;
  }
  if (*doctor) return Doctor(options);
  if (*env) return Env(options);
  return *run ? Run(options) : kUsage;
}
