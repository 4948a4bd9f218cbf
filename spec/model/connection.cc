#include "spec/model/connection.h"

#include <utility>

namespace spec::model {

std::shared_ptr<End> End::Active(std::string address) {
  auto end = std::make_shared<End>();
  end->address_ = std::move(address);
  return end;
}

void End::Over(int event, const Rule* promise) {
  state_ = event == kSomeEvent ? State::kUnclear : State::kOver;
  peer_ = nullptr;
  due_.push_back({event, promise});
}

void End::Ask(Listener* listener, Bytes data) {
  state_ = State::kAsked;
  if (listener == nullptr) return Over(RPMA_CONN_REJECTED, nullptr);
  auto other = std::make_shared<End>();
  other->passive_ = true;
  other->state_ = State::kToAnswer;
  other->data_ = std::move(data);
  other->peer_ = this;
  peer_ = other.get();
  listener->waiting_.push_back({std::move(other)});
}

void End::AskInVain() {
  state_ = State::kAsked;
  in_vain_ = true;
}

void End::GiveUp() {
  if (state_ == State::kAsked && in_vain_) Over(RPMA_CONN_UNREACHABLE, nullptr);
}

void End::LoseDevice() {
  if (state_ == State::kConnected || state_ == State::kLeaving || state_ == State::kLeft)
    Over(RPMA_CONN_LOST, nullptr);
}

void End::Accept(Bytes data, const Rule* promise) {
  if (state_ != State::kToAnswer || peer_ == nullptr) return Lose();
  state_ = State::kAccepted;
  peer_->state_ = State::kAnswered;
  peer_->answer_ = std::move(data);
  peer_->due_.push_back({RPMA_CONN_ESTABLISHED, promise});
}

void End::Reject(const Rule* promise) {
  if (peer_ != nullptr) peer_->Over(RPMA_CONN_REJECTED, promise);
  peer_ = nullptr;
  state_ = State::kOver;
}

void End::Fail(const Rule* promise) {
  if (peer_ != nullptr) peer_->Over(kSomeEvent, promise);
  peer_ = nullptr;
  state_ = State::kOver;
}

void End::Disconnect(const Rule* promise) {
  switch (state_) {
    case State::kConnected:
      state_ = State::kLeaving;
      if (peer_ == nullptr) break;
      peer_->state_ = State::kLeft;
      peer_->due_.push_back({RPMA_CONN_CLOSED, promise});
      break;
    case State::kLeft:
      state_ = State::kClosed;
      if (peer_ == nullptr || peer_->state_ != State::kLeaving) break;
      peer_->state_ = State::kClosed;
      peer_->due_.push_back({RPMA_CONN_CLOSED, promise});
      break;
    case State::kAsked:
    case State::kAccepted:
    case State::kAnswered:
      Lose();
      break;
    default:
      break;
  }
  // What was posted is flushed.
  if (!receives.empty()) receive_queue().unclear = true;
}

// The last of a connection goes with a disconnection of its own.
void End::Leave() {
  switch (state_) {
    case State::kConnected:
    case State::kLeft:
      Disconnect(nullptr);
      break;
    case State::kToAnswer:
      Reject(nullptr);
      break;
    case State::kAsked:
    case State::kAccepted:
    case State::kAnswered:
      if (peer_ != nullptr) peer_->Lose();
      break;
    default:
      break;
  }
  if (peer_ != nullptr) peer_->peer_ = nullptr;
  peer_ = nullptr;
  state_ = State::kGone;
  due_.clear();
}

Due End::Take() {
  const Due due = due_.front();
  due_.pop_front();
  if (due.event == RPMA_CONN_CLOSED) closed_before = true;
  if (due.event != RPMA_CONN_ESTABLISHED || passive_) return due;
  data_ = std::move(answer_);
  state_ = State::kConnected;
  if (peer_ != nullptr) {
    peer_->state_ = State::kConnected;
    peer_->due_.push_back(due);
  }
  return due;
}

void End::Lose() {
  End* const other = std::exchange(peer_, nullptr);
  for (End* end : {this, other}) {
    if (end == nullptr) continue;
    end->state_ = State::kUnclear;
    end->due_.clear();
    end->peer_ = nullptr;
  }
}

std::shared_ptr<End> Listener::Take() {
  std::shared_ptr<End> end = std::move(waiting_.front().end);
  waiting_.pop_front();
  return end;
}

void Listener::Doubt(const Rule* promise) {
  if (waiting_.empty()) return;
  waiting_.front().doubtful = true;
  if (End* active = waiting_.front().end->peer()) active->doubtful = true;
  waiting_.front().promise = promise;
}

void Listener::Close() {
  for (const Request& request : waiting_)
    if (request.doubtful)
      request.end->Fail(request.promise);
    else
      request.end->Reject(nullptr);
  waiting_.clear();
}

}  // namespace spec::model
