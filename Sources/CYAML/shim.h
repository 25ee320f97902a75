// libyaml, as far as Swift can import it.
#include <yaml.h>
