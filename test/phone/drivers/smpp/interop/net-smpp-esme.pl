# An ESME with Net::SMPP: perl net-smpp-esme.pl PORT. It binds, prints each deliver_sm, and submits
# the texts that it reads from stdin: number, data_coding and octets in hexadecimal digits.
use strict;
use warnings;
use Net::SMPP;

$| = 1;
my $esme = Net::SMPP->new_transceiver('127.0.0.1', port => shift, system_id => 'perl',
  password => 'sesame') or die "bind: $!";
print "bound\n";
for my $text (@ARGV) {
  my ($to, $coding, $octets) = split /:/, $text;
  my $answer = $esme->submit_sm(source_addr => '13013', dest_addr_ton => 1, dest_addr_npi => 1,
    destination_addr => $to, data_coding => $coding, short_message => pack('H*', $octets));
  print "submitted $answer->{status} $answer->{message_id}\n";
}
while (my $pdu = $esme->read_pdu) {
  my $name = Net::SMPP::pdu_tab->{$pdu->{cmd}}{cmd};
  if ($name eq 'deliver_sm') {
    $esme->deliver_sm_resp(seq => $pdu->{seq}, message_id => '');
    print join(' ', 'delivered', $pdu->{source_addr}, $pdu->{data_coding},
      unpack('H*', $pdu->{short_message})), "\n";
  }
}
