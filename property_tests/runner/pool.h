// Processes that judge parts of a run side by side. What they find is handed over in the order of
// the parts, however many there are.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "property_tests/runner/part.h"

namespace conformance {

class Pool {
 public:
  explicit Pool(int workers);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  struct Callbacks {
    std::function<PartResult(const Part&)> judge;        // in the part's own process
    std::function<void(const Part&, PartResult)> found;  // in the order of the parts
    // About ten times a second. True: no part is started any more, and those that run are told to
    // end.
    std::function<bool()> stop;
  };

  // Returns the parts that were not finished.
  std::vector<Part> Run(const std::vector<Part>& parts, const Callbacks& callbacks);

  // Cases that running and finished processes say they have run; for a progress line.
  std::uint64_t progress() const { return *progress_; }
  // Called in the part's process, as cases are run.
  void Progress(std::uint64_t more) { *progress_ += more; }

 private:
  struct Running {
    pid_t pid;
    int fd;
    std::size_t part;
    std::string line;
  };

  void Start(const Part& part, std::size_t number, const Callbacks& callbacks);
  // True: the process is done, and `line` is all that it had to say.
  bool Read(Running& one) const;
  static PartResult ResultOf(const Running& one, const Part& part);

  std::size_t workers_;
  std::vector<Running> running_;
  std::atomic<std::uint64_t>* progress_;
};

}  // namespace conformance
