#include "schedule/state.h"

namespace fakenic {
namespace {

void Append(uint64_t number, std::string& state) {
  state.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void AppendMessage(const Message& message, std::string& state) {
  Append(message.flow, state);
  Append(message.position, state);
  const bool flags[] = {message.started,  message.delivered,
                        message.executed, message.answered,
                        message.decided,  message.completed,
                        message.repeated, message.recv && message.recv->completed};
  for (const bool flag : flags) state += flag ? '1' : '0';
  for (const WcStatus status : {message.answer.status, message.outcome.status}) {
    Append(static_cast<uint64_t>(status), state);
  }
  Append(message.stored, state);
  Append(message.payload.size(), state);
  state.append(reinterpret_cast<const char*>(message.payload.data()), message.payload.size());
  Append(message.pieces.size(), state);
  for (const Piece& piece : message.pieces) Append(piece.offset, state);
}

}  // namespace

void AppendState(Fabric& fabric, std::string& state) {
  fabric.ForEachMessage([&](const Message& message) { AppendMessage(message, state); });
}

void AppendState(const Cq& cq, std::string& state) {
  Append(cq.size(), state);
  cq.ForEach([&](const Completion& completion) {
    Append(completion.wr_id, state);
    Append(static_cast<uint64_t>(completion.status), state);
  });
}

}  // namespace fakenic
