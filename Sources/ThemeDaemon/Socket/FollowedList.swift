/// The lists that can be followed; the numbers are for handovers, where 0 means no list.
enum FollowedList: UInt8, Hashable, CaseIterable {
  case overrides = 1
  case clients = 2
  case themes = 3
}
