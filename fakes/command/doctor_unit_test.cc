#include <gtest/gtest.h>

#include "command/doctor.h"

namespace fakenic {
namespace {

TEST(DoctorTest, AFileRunsPrivilegedIfItsBitGivesRightsThatTheUserLacks) {
  struct Row {
    const char* claim;
    mode_t mode;
    uid_t owner;
    gid_t group;
    bool privileged;
  };
  const Row rows[] = {{"no bit", 0755, 0, 0, false},
                      {"another user's", 0755 | S_ISUID, 0, 5, true},
                      {"the user's own", 0755 | S_ISUID, 1000, 5, false},
                      {"another group's", 0755 | S_ISGID, 0, 5, true},
                      {"the user's group", 0755 | S_ISGID, 0, 100, false}};
  for (const Row& row : rows) {
    struct stat file {};
    file.st_mode = row.mode;
    file.st_uid = row.owner;
    file.st_gid = row.group;
    EXPECT_EQ(RunsPrivileged(file, 1000, 100), row.privileged) << row.claim;
  }
}

}  // namespace
}  // namespace fakenic
