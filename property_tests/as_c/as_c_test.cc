// Programs that `replay --as-c` prints: they compile without a warning, and judge as the suite
// does.
#include <gtest/gtest.h>

#include <cctype>
#include <fstream>

#include "property_tests/testing/program_run.h"
#include "property_tests/testing/temp_folder.h"

namespace conformance {

namespace {

struct Example {
  const char* name;
  const char* text;
  int status = 0;  // of the program over a library that conforms
};

std::string NameOf(const testing::TestParamInfo<Example>& info) { return info.param.name; }

class AsC : public testing::TestWithParam<Example> {
 protected:
  // The program of the case, as `library` has shown it.
  std::string Compiled(const std::string& library, const std::string& text,
                       const std::vector<std::string>& environment = {}) {
    const ProgramRun printed =
        Conformance({"replay", "--as-c", "--sut", library, text}, environment);
    EXPECT_EQ(printed.status, 0) << printed.err;
    std::ofstream(folder_.file("case.c")) << printed.out;
    const std::string program = folder_.file("case");
    const ProgramRun compiler = RunProgram(
        {CONFORMANCE_CC, "-std=c99", "-Wall", "-Wextra", "-Werror", "-I" CONFORMANCE_LIBRPMA_H,
         "-I" CONFORMANCE_FAKENIC_H, folder_.file("case.c"), "-o", program, ReferenceLibrary(),
         FakeFolder() + "/libibverbs.so.1", "-Wl,--allow-shlib-undefined"});
    EXPECT_EQ(compiler.status, 0) << compiler.err << printed.out;
    return program;
  }

  // On the fake; `library` answers before the reference does.
  static ProgramRun Run(const std::string& program, const std::string& library,
                        std::vector<std::string> environment = {}) {
    environment.insert(environment.end(), {"FAKENIC_FABRIC=off", "LD_PRELOAD=" + library,
                                           "LD_LIBRARY_PATH=" + FakeFolder()});
    return RunProgram({program}, environment);
  }

  const TempFolder folder_;
};

TEST_P(AsC, CompilesAndJudgesAsTheSuiteDoes) {
  const std::string program = Compiled(ReferenceLibrary(), GetParam().text);
  const ProgramRun run = Run(program, ReferenceLibrary());
  EXPECT_EQ(run.status, GetParam().status) << run.out << run.err;
}

// Who has a test suite in C++ takes the same text.
TEST_P(AsC, IsCPlusPlusToo) {
  const ProgramRun printed =
      Conformance({"replay", "--as-c", "--sut", ReferenceLibrary(), GetParam().text});
  std::ofstream(folder_.file("case.cc")) << printed.out;
  const ProgramRun compiler =
      RunProgram({CONFORMANCE_CXX, "-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
                  "-I" CONFORMANCE_LIBRPMA_H, "-I" CONFORMANCE_FAKENIC_H, folder_.file("case.cc")});
  EXPECT_EQ(compiler.status, 0) << compiler.err << printed.out;
}

#define MESSAGE_BUFFER "server.recv dst=R+0 len=64 ctx=0x9"

// Every call of the data path, every step, every kind of connection and region.
INSTANTIATE_TEST_SUITE_P(
    Programs, AsC,
    testing::Values(
        Example{"Write", "write dst=D+8 src=S+0 len=16 ctx=0x7; poll; drain"},
        Example{"WriteAlone", "write dst=D+0 src=S+0 len=0x100000000 flags=ALWAYS ctx=0x7"},
        Example{"AtomicWrite", "atomic_write dst=D+8; server.atomic_write dst=D+16; drain"},
        Example{"Read", "read dst=L+0 src=D+8 len=16; drain; read dst=L+1 src=D+0 len=63; drain"},
        Example{"WriteWithImm", "write_imm dst=D+8 src=S+0 len=16 imm=0x5; " MESSAGE_BUFFER},
        Example{"Send", MESSAGE_BUFFER "; send src=S+0 len=8; server.poll; drain"},
        Example{"SendWithImm", "send_imm src=S+0 len=8 imm=0x5 flags=ON_ERROR; drain"},
        Example{"Flush", "write dst=D+0 src=S+0 len=8 flags=ON_ERROR; flush dst=D+0 len=8; drain"},
        Example{"FlushWithDirectWrite", "flush dst=D+0 len=8 type=PERSISTENT peer=direct; drain"},
        Example{"FlushPersistent", "fault EIO; flush dst=D+0 len=8 type=PERSISTENT; drain"},
        Example{"ReceiveAlone", "recv dst=R+0 len=8 ctx=0x1"},
        Example{"ReceiveBeforeConnecting",
                "fault EIO; req_recv dst=R+0 len=8 ctx=0x2; req_recv dst=R+0 len=8 ctx=0x1; "
                "server.send src=S+0 len=8; drain"},
        Example{"SharedReceiveQueue",
                "srq=4 srcq=4; srq_recv dst=R+0 len=64 ctx=0x9; "
                "send src=S+0 len=8; server.send src=S+0 len=8; rpoll"},
        Example{"ReceiveQueueOfItsOwn",
                "rcq=8; " MESSAGE_BUFFER "; send src=S+0 len=8; server.rpoll 2; drain"},
        Example{"SharedChannel", "rcq=8 channel=shared; write dst=D+8 src=S+0 len=16; wait; drain"},
        Example{"Wait", "write dst=D+8 src=S+0 len=16; wait; poll 4; drain"},
        Example{"ManualSchedule",
                "sq=4 schedule=manual; write dst=D+8 src=S+0 len=16; step; poll; step 1; run; "
                "drain; write dst=D+8 src=S+0 len=16; drain"},
        Example{"SeededSchedule", "schedule=seeded:7; write dst=D+8 src=S+0 len=16; poll 4; drain"},
        Example{"FailedPost",
                "write dst=D+8 src=S+0 len=16; fault EIO; read dst=L+0 src=D+0; poll"},
        Example{"Dereg", "write dst=D+8 src=S+0 len=8; poll; server.dereg D; read dst=L+0 src=D+0"},
        Example{"Alternate", "alternate 20 dst=D+0; drain"},
        Example{"FullQueue",
                "sq=2; write dst=D+0 src=S+0 len=8 flags=ON_ERROR; write dst=D+8 "
                "src=S+8 len=8; write dst=D+16 src=S+16 len=8; drain"},
        Example{"NoRegions", "write dst=NULL src=NULL len=0; drain"},
        Example{"Refused", "write conn=NULL dst=NULL src=S+1 len=1 flags=0; drain"},
        Example{"Stale", "write dst=stale+0 src=S+0 len=8; drain"},
        Example{"Foreign", "read dst=foreign+0 src=foreign+0 len=8; drain"},
        Example{"WrongUsage", "read dst=nousage+0 src=noread+0 len=8; write dst=nowrite+0 src=S+0"},
        Example{"Unaligned", "atomic_write dst=odd+0; drain"},
        Example{"Outside", "write dst=D+60 src=S+0 len=8; drain"}),
    NameOf);

// Every step of scripts, and pages of each family.
INSTANTIATE_TEST_SUITE_P(
    Scripts, AsC,
    testing::Values(
        Example{"Default", "rpma_srq_cfg_new(&cfg); rpma_srq_cfg_get_rq_size(cfg, &size)"},
        Example{"Setter",
                "rpma_conn_cfg_new(&cfg); rpma_conn_cfg_set_sq_size(cfg, UINT32_MAX); "
                "rpma_conn_cfg_get_sq_size(cfg, &size); "
                "rpma_conn_cfg_get_sq_size(cfg, NULL); rpma_conn_cfg_delete(&cfg)"},
        Example{"Handle",
                "given peer; rpma_srq_new(peer, NULL, &srq); rpma_conn_cfg_new(&cfg); "
                "rpma_conn_cfg_set_srq(cfg, srq); rpma_conn_cfg_get_srq(cfg, &same)"},
        Example{"Memory",
                "given memory; rpma_mr_get_ptr(mr, &ptr); rpma_mr_get_size(mr, &size); "
                "rpma_mr_remote_get_flush_type(remote, &flush)"},
        Example{"Separate", "given separate; rpma_conn_get_rcq(client, &rcq)"},
        Example{"Readable", "given shared; rpma_conn_get_compl_fd(client, &fd); readable(fd)"},
        Example{"Completion",
                "given memory; rpma_read(client, mr, 0, remote, 8, 8, RPMA_F_COMPLETION_ALWAYS, "
                "NULL); rpma_conn_get_cq(client, &cq); rpma_cq_get_fd(cq, &fd); nonblock(fd); "
                "rpma_cq_wait(cq); rpma_cq_get_wc(cq, 1, &wc, NULL)"},
        Example{"Network",
                "given accepted; network(silent); rpma_conn_disconnect(client); "
                "advance(100000)"},
        Example{"Device", "given connected; device(gone); rpma_conn_next_event(client, &event)"},
        Example{"PrivateData",
                "given request; rpma_conn_req_connect(&creq, data:3, &client); "
                "rpma_ep_next_conn_req(ep, NULL, &sreq); "
                "rpma_conn_req_get_private_data(sreq, &pdata)"},
        Example{"PrivateDataOfNothing",
                "given request; rpma_conn_req_connect(&creq, data:3:NULL, &client)"},
        Example{"FailedCall",
                "given peer; fault(ibv_reg_mr, 1, ENOMEM); rpma_mr_reg(peer, mem, 64, "
                "RPMA_MR_USAGE_SEND|RPMA_MR_USAGE_RECV, &mr)"},
        Example{"FailedAllocation",
                "given peer; fault(malloc, 1, ENOMEM); rpma_mr_reg(peer, mem+8, "
                "64, RPMA_MR_USAGE_SEND, &mr)",
                2},
        Example{"Texts", "rpma_err_2str(RPMA_E_INVAL); rpma_utils_conn_event_2str(99)"},
        Example{"Log",
                "rpma_log_set_function(log); rpma_log_set_threshold(RPMA_LOG_THRESHOLD, "
                "RPMA_LOG_LEVEL_DEBUG); rpma_peer_new(NULL, NULL)"},
        Example{"Bytes", "rpma_mr_remote_from_descriptor(bytes:00112233, 4, &remote)"},
        Example{"Nulls", "rpma_mr_advise(NULL, 0, 8, IBV_ADVISE_MR_ADVICE_PREFETCH, 0)"}),
    NameOf);

struct Planted {
  const char* bug;
  const char* text;
  std::string (*library)();
};

class AsCOfABug : public AsC {};

TEST_F(AsCOfABug, FailsOverTheLibraryThatHasItAndOverNoOther) {
  const Planted bugs[] = {
      {"rpma_write.data-written", "write dst=D+0 src=S+0 len=8 ctx=0x7", PlantedLibrary},
      {"rpma_write.length-whole", "write dst=D+0 src=S+0 len=0x100000000 ctx=0x7", PlantedLibrary},
      {"rpma_write.zero-byte", "write dst=NULL src=NULL len=0 ctx=0x7", PlantedLibrary},
      {"rpma_write.on-error-silent", "write dst=D+0 src=S+0 len=8 flags=ON_ERROR ctx=0x7",
       PlantedLibrary},
      {"rpma_write.on-error-reports", "write dst=D+0 src=S+63 len=8 flags=ON_ERROR ctx=0x7",
       PlantedLibrary},
      {"rpma_write.op-context", "write dst=D+0 src=S+0 len=8 ctx=0xfedcba9876543210",
       PlantedLibrary},
      {"rpma_write.refused-no-effect", "write dst=D+0 src=S+0 len=8 flags=0 ctx=0x7",
       PlantedLibrary},
      {"rpma_write.flags-zero", "write dst=D+0 src=S+0 len=8 flags=0 ctx=0x7", PlantedLibrary},
      {"rpma_write.post-failed", "fault ENOMEM; write dst=D+0 src=S+0 len=8 ctx=0x7",
       PlantedLibrary},
      {"rpma_read.always-success", "read dst=L+0 src=D+0 len=8 ctx=0x7", PlantedLibrary},
      {"rpma_flush.usable-after-refusal", "flush dst=D+0 len=8 type=VISIBILITY flags=0 ctx=0x7",
       PlantedLibrary},
      {"rpma_peer_cfg_new.made", "rpma_peer_cfg_new(&cfg)", PlantedCallsLibrary},
      {"rpma_peer_delete.nulled", "given peer; rpma_peer_delete(&peer)", PlantedCallsLibrary},
      {"rpma_mr_reg.ptr-null",
       "given peer; rpma_mr_reg(peer, NULL, 4096, RPMA_MR_USAGE_READ_SRC, &mr)",
       PlantedCallsLibrary},
      {"rpma_mr_get_ptr.value", "given region; rpma_mr_get_ptr(mr, &ptr)", PlantedCallsLibrary},
      {"rpma_conn_cfg_get_timeout.value",
       "rpma_conn_cfg_new(&cfg); rpma_conn_cfg_get_timeout(cfg, &value)", PlantedCallsLibrary},
      {"rpma_conn_cfg_get_cq_size.accepted",
       "rpma_conn_cfg_new(&cfg); rpma_conn_cfg_get_cq_size(cfg, &value)", PlantedCallsLibrary},
      {"rpma_srq_delete.releases",
       "given peer; rpma_srq_new(peer, NULL, &srq); fault(ibv_destroy_cq, 1, EBUSY); "
       "rpma_srq_delete(&srq)",
       PlantedCallsLibrary},
      {"rpma_ep_listen.untouched", "given peer; rpma_ep_listen(NULL, addr, port, &ep)",
       PlantedCallsLibrary},
      {"rpma_ep_shutdown.kept",
       "given listening; fault(rdma_destroy_id, 1, EIO); rpma_ep_shutdown(&ep)",
       PlantedCallsLibrary},
      {"rpma_conn_wait.not-shared", "given connected; rpma_conn_wait(client, 0, &cq, &is_rcq)",
       PlantedCallsLibrary}};
  for (const Planted& planted : bugs) {
    const std::vector<std::string> environment{std::string("PLANTED_BUG=").append(planted.bug)};
    const std::string program = Compiled(planted.library(), planted.text, environment);
    const ProgramRun broken = Run(program, planted.library(), environment);
    EXPECT_EQ(broken.status, 1) << planted.bug << '\n' << broken.out << broken.err;
    const ProgramRun good = Run(program, ReferenceLibrary());
    EXPECT_EQ(good.status, 0) << planted.bug << '\n' << good.out << good.err;
  }
}

TEST_F(AsC, ListsOfCasesAreUsageErrors) {
  EXPECT_EQ(
      Conformance({"replay", "--as-c", "cases 0..3 of rpma_write arguments, seed 1, sample 0"})
          .status,
      64);
  EXPECT_EQ(Conformance({"replay", "--as-c", "drain", "drain"}).status, 64);
  EXPECT_EQ(Conformance({"replay", "--as-c", "--gdb", "drain"}).status, 64);
}

}  // namespace

}  // namespace conformance
