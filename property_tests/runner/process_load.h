// What a process takes of the machine, and what it has to wait for.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>

namespace conformance {

// Bytes of memory that the process holds now; 0 if it is gone.
std::uint64_t MemoryOf(pid_t pid);

// How long in all the process (its first thread) was ready to run while every processor that it may
// use was busy with others; 0 if it is gone, or the kernel does not tell.
std::chrono::nanoseconds WaitedForProcessor(pid_t pid);

}  // namespace conformance
