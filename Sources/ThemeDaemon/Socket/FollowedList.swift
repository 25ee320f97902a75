/// The lists that can be followed; the numbers are for a handover, where 0 is none.
enum FollowedList: UInt8, Hashable, CaseIterable {
  case overrides = 1
  case clients = 2
  case themes = 3
}
