# An SMSC with Net::SMPP. It prints its port, then each submit_sm as text in hexadecimal digits
# with its fields, and answers each with a deliver_sm: its receipt.
use strict;
use warnings;
use Net::SMPP;

$| = 1;
my $server = Net::SMPP->new_listen('127.0.0.1', port => 0) or die "listen: $!";
print 'port ', $server->sockport, "\n";
my $smsc = $server->accept or die "accept: $!";
my $count = 0;
while (my $pdu = $smsc->read_pdu) {
  my $name = Net::SMPP::pdu_tab->{$pdu->{cmd}}{cmd};
  if ($name =~ /^bind_/) {
    my $answer = "${name}_resp";
    $smsc->$answer(seq => $pdu->{seq}, system_id => 'perl');
    print "bind $name $pdu->{system_id} $pdu->{password} $pdu->{interface_version}\n";
  } elsif ($name eq 'submit_sm') {
    my $id = sprintf 'perl%d', ++$count;
    $smsc->submit_sm_resp(seq => $pdu->{seq}, message_id => $id);
    print join(' ', 'submit', $pdu->{destination_addr}, $pdu->{esm_class}, $pdu->{data_coding},
      unpack('H*', $pdu->{short_message})), "\n";
    my $receipt = "id:$id sub:001 dlvrd:001 submit date:2611221400 done date:2611221401 "
      . 'stat:DELIVRD err:000 text:';
    $smsc->deliver_sm(source_addr => $pdu->{destination_addr}, destination_addr => '1',
      esm_class => 4, short_message => $receipt, async => 1);
  } elsif ($name eq 'enquire_link') {
    $smsc->enquire_link_resp(seq => $pdu->{seq});
  } elsif ($name eq 'unbind') {
    $smsc->unbind_resp(seq => $pdu->{seq});
    last;
  } else {
    print "$name $pdu->{status}\n";
  }
}
