#include "wire/registry.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <csignal>
#include <fstream>

#include "wire/directory.h"
#include "wire/test_directory.h"

namespace fakenic {
namespace {

constexpr int kTcp = 0x106, kUdp = 0x111;

class RegistryTest : public testing::Test {
 protected:
  std::unique_ptr<Registry> Open() {
    std::string why;
    auto registry = Registry::Open(opened_.get(), why);
    EXPECT_NE(registry, nullptr) << why;
    return registry;
  }

  std::unique_ptr<Registry> Join(const std::string& host = "",
                                 const std::vector<Address>& addresses = {}) {
    auto registry = Open();
    std::string why;
    EXPECT_TRUE(registry->Join(host, addresses, why)) << why;
    return registry;
  }

  static PortBinding At(const char* address, uint16_t port) {
    PortBinding binding{.address = Address::Parse(address)};
    binding.address.set_port(port);
    binding.one_family = binding.address.family() == AF_INET;
    return binding;
  }

  TestDirectory directory_;
  std::string why_;
  File opened_ = OpenFabricDirectory(directory_.path, why_);
};

TEST_F(RegistryTest, ProcessesHaveIdsOfTheirOwnAndLiveAsLongAsTheyAreThere) {
  auto first = Join(), second = Join();
  EXPECT_NE(first->self(), second->self());
  EXPECT_TRUE(first->Alive(second->self()));
  EXPECT_EQ(first->PidOf(second->self()), getpid());
  EXPECT_EQ(first->Processes().size(), 2u);

  const ProcessId gone = second->self();
  second.reset();

  EXPECT_FALSE(first->Alive(gone));
  EXPECT_NE(Join()->self(), gone) << "the place has a new tenant";
}

TEST_F(RegistryTest, AProcessThatIsKilledIsNotAlive) {
  auto own = Join();
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    auto registry = Join();
    const ProcessId self = registry->self();
    if (write(pipe_ends[1], &self, sizeof self) != sizeof self) _exit(1);
    pause();
  }
  ProcessId id = 0;
  ASSERT_EQ(read(pipe_ends[0], &id, sizeof id), static_cast<ssize_t>(sizeof id));
  EXPECT_TRUE(own->Alive(id));

  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);

  EXPECT_FALSE(own->Alive(id));
}

TEST_F(RegistryTest, BlocksOfNumbersDifferAndThoseOfTheDeadComeBackLate) {
  auto first = Join(), second = Join();
  EXPECT_EQ(first->ClaimBlock(), 0u);
  EXPECT_EQ(second->ClaimBlock(), 1u);
  EXPECT_EQ(first->OwnerOfBlock(1), second->self());
  EXPECT_EQ(first->OwnerOfBlock(2), 0u);

  second.reset();
  auto third = Join();

  EXPECT_EQ(third->ClaimBlock(), 2u);
  for (uint32_t i = 3; i < registry::kBlocks; ++i) EXPECT_EQ(third->ClaimBlock(), i);
  EXPECT_EQ(third->ClaimBlock(), 1u);
  EXPECT_EQ(third->ClaimBlock(), std::nullopt) << "all others are those of the living";
}

TEST_F(RegistryTest, APortIsTakenByOneProcessOfAHost) {
  auto first = Join(), second = Join();
  EXPECT_EQ(first->ClaimPort(kTcp, At("127.0.0.1", 7), 1), 0);
  EXPECT_EQ(second->ClaimPort(kTcp, At("127.0.0.1", 7), 1), EADDRINUSE);
  EXPECT_EQ(second->ClaimPort(kTcp, At("0.0.0.0", 7), 1), EADDRNOTAVAIL);
  EXPECT_EQ(second->ClaimPort(kTcp, At("127.0.0.2", 7), 1), 0);
  EXPECT_EQ(second->ClaimPort(kUdp, At("127.0.0.1", 7), 2), 0) << "another port space";
  EXPECT_EQ(first->ClaimPort(kTcp, At("127.0.0.1", 7), 9), 0) << "its own affair";

  first->ReleasePort(kTcp, 7, 1);
  first->ReleasePort(kTcp, 7, 9);
  EXPECT_EQ(second->ClaimPort(kTcp, At("127.0.0.1", 7), 3), 0);
}

TEST_F(RegistryTest, APortOfADeadProcessIsFree) {
  auto first = Join(), second = Join();
  first->ClaimPort(kTcp, At("0.0.0.0", 7), 1);
  first.reset();

  EXPECT_EQ(second->ClaimPort(kTcp, At("127.0.0.1", 7), 1), 0);
}

TEST_F(RegistryTest, EachHostHasPortsOfItsOwn) {
  auto a = Join("a", {Address::Parse("10.0.0.1")}), b = Join("b", {Address::Parse("10.0.0.2")});
  EXPECT_EQ(a->ClaimPort(kTcp, At("0.0.0.0", 7), 1), 0);
  EXPECT_EQ(b->ClaimPort(kTcp, At("0.0.0.0", 7), 1), 0);
}

TEST_F(RegistryTest, AListenerIsFoundByItsAddressOrAWildcardOfItsFamily) {
  auto server = Join(), client = Join();
  bool elsewhere = false;
  server->ClaimPort(kTcp, At("127.0.0.1", 7), 1);
  EXPECT_EQ(client->FindListener(0, kTcp, At("127.0.0.1", 7).address, &elsewhere), 0u)
      << "bound, and not listening";
  EXPECT_FALSE(elsewhere);

  EXPECT_EQ(server->Listen(kTcp, At("127.0.0.1", 7), 1), 0);
  EXPECT_EQ(client->FindListener(0, kTcp, At("127.0.0.1", 7).address, &elsewhere), server->self());
  EXPECT_EQ(client->FindListener(0, kTcp, At("127.0.0.2", 7).address, &elsewhere), 0u);
  EXPECT_TRUE(elsewhere);

  server->ClaimPort(kTcp, At("::", 8), 2);
  server->Listen(kTcp, At("::", 8), 2);
  EXPECT_EQ(client->FindListener(0, kTcp, At("127.0.0.9", 8).address, &elsewhere), server->self());
}

TEST_F(RegistryTest, AddressesBelongToHosts) {
  auto a = Join("a", {Address::Parse("10.0.0.1"), Address::Parse("fd00::1")});
  EXPECT_EQ(a->FindHost(Address::Parse("fd00::1")), a->host());
  EXPECT_EQ(a->FindHost(Address::Parse("10.0.0.9")), std::nullopt);
  EXPECT_EQ(a->HostName(a->host()), "a");
  EXPECT_EQ(a->HostName(0), "machine");

  auto registry = Open();
  std::string why;
  EXPECT_FALSE(registry->Join("b", {Address::Parse("10.0.0.1")}, why));
  EXPECT_EQ(why, "an address of host b is that of host a");
  a.reset();
  EXPECT_TRUE(registry->Join("b", {Address::Parse("10.0.0.1")}, why)) << "nobody is left there";
}

TEST_F(RegistryTest, AFaultIsThatOfBothDirections) {
  auto a = Join("a"), b = Join("b");
  const uint32_t version = b->faults_version();
  EXPECT_TRUE(a->SetFault(a->host(), b->host(), {registry::LinkState::kSlow, 250}));

  EXPECT_NE(b->faults_version(), version);
  EXPECT_EQ(b->FaultBetween(b->host(), a->host()).state, registry::LinkState::kSlow);
  EXPECT_EQ(b->FaultBetween(b->host(), a->host()).delay_us, 250u);
  EXPECT_EQ(b->FaultBetween(b->host(), 0).state, registry::LinkState::kUp);

  a->SetFault(b->host(), a->host(), {});
  EXPECT_EQ(b->FaultBetween(a->host(), b->host()).state, registry::LinkState::kUp);
}

TEST_F(RegistryTest, AnotherVersionsTableIsRefusedWithTheFix) {
  std::ofstream(directory_.path + "/registry") << "of another size";
  std::string why;
  EXPECT_EQ(Registry::Open(opened_.get(), why), nullptr);
  EXPECT_EQ(why, "the fabric's registry is of another version of fakenic: remove its directory");
}

TEST(FabricDirectory, IsMadePrivateAndRefusedIfOthersMayEnter) {
  TestDirectory parent;
  const std::string path = parent.path + "/fabric";
  std::string why;
  EXPECT_TRUE(OpenFabricDirectory(path, why).open()) << why;
  struct stat status {};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777u, 0700u);

  chmod(path.c_str(), 0750);
  EXPECT_FALSE(OpenFabricDirectory(path, why).open());
  EXPECT_EQ(why,
            "the fabric's directory " + path + ": has mode 0750, expected 0700: others may enter");
}

TEST(FabricDirectory, ALinkToAnotherPlaceIsRefused) {
  TestDirectory parent;
  ASSERT_EQ(symlink("/tmp", (parent.path + "/fabric").c_str()), 0);
  std::string why;
  EXPECT_FALSE(OpenFabricDirectory(parent.path + "/fabric", why).open());
}

TEST(FabricDirectory, OneOfAnotherUserIsRefused) {
  if (geteuid() != 0) GTEST_SKIP() << "only the superuser can give a directory away";
  TestDirectory parent;
  ASSERT_EQ(chown(parent.path.c_str(), 12345, 0), 0);
  std::string why;
  EXPECT_FALSE(OpenFabricDirectory(parent.path, why).open());
  EXPECT_EQ(why, "the fabric's directory " + parent.path + ": belongs to user 12345, expected 0");
}

TEST(FabricPath, IsOffWhenItIsSaidSo) {
  setenv("FAKENIC_FABRIC", "off", 1);
  EXPECT_EQ(FabricPath(), std::nullopt);
  setenv("FAKENIC_FABRIC", "/x/y", 1);
  EXPECT_EQ(FabricPath(), "/x/y");
  unsetenv("FAKENIC_FABRIC");
  EXPECT_NE(FabricPath(), std::nullopt);
}

}  // namespace
}  // namespace fakenic
