// Lines that mail programs add around a person's text, in the languages of the programs.

/** Lines that phones and mail programs add about themselves. */
export const SENT_FROM = new RegExp(
  '^(?:' +
    [
      'sent (?:from|with|via) (?:my|mail for|outlook|yahoo|proton|a |the |spark|samsung|gmail|aol|airmail|superhuman|hey)',
      'get outlook for ',
      'sent using ',
      'von mein(?:em|er) .{1,40} gesendet',
      'gesendet (?:von|mit|über|aus) ',
      'diese nachricht wurde von mein',
      'envoyé (?:de|depuis|à partir d) ?',
      'enviado (?:desde|do|de|a partir) ',
      'obtener outlook para ',
      'télécharger outlook pour ',
      'outlook für (?:ios|android)',
      'holen sie sich outlook',
      'inviato (?:da|dal) ',
      'verzonden (?:vanaf|met|vanuit) ',
      'verstuurd vanaf ',
      'skickat från ',
      'sendt fra ',
      'lähetetty ',
      'wysłan[eo] z ',
      'odesláno z',
      'отправлено (?:с|из|от) ',
      'надіслано з ',
      'iphoneから送信',
      '发自我的',
      '從我的',
      '나의 .{1,20}에서 보냄',
      "iphone'?umdan gönderildi",
    ].join('|') +
    ')',
  'iu',
);

/** The line before a quotation: who wrote when. */
export const WROTE = new RegExp(
  '(?:写道|寫道|のメール|님이 작성|(?:^|[\\s,>])(?:' +
    [
      'wrote',
      'writes',
      'schrieb(?: .{1,100})?',
      'a écrit',
      'ha scritto',
      'escribió',
      'escreveu',
      'schreef(?: .{1,100})?',
      'skrev(?: .{1,100})?',
      'kirjoitti',
      'napisał(?:\\(a\\)|a)?',
      'napsal(?:\\(a\\)|a)?',
      'написал(?:\\(а\\)|а)?',
      'пишет',
      'пише',
      'yazdı',
      'írta',
      'a scris',
    ].join('|') +
    '))\\s?[:：]\\s*$',
  'iu',
);
/** The start of such a line, or an address in it: a sentence that ends in "wrote:" has neither. */
export const WROTE_START =
  /^(?:-{2,}\s?on |on |am |le |el |il |em |op |den |dnia |w dniu |dne |em |\d|[\p{Lu}][\p{L}]{1,9},? |在|от |сб|пн|вт|ср|чт|пт|вс|на |.{0,80}<[^<>\s]{3,100}>|.{0,80}\d{1,2}[:.]\d{2})/iu;

/** The line of dashes above an original message. */
export const ORIGINAL =
  /^[-_\s*]{2,}\s*(?:original message|original appointment|reply message|ursprüngliche (?:nachricht|mail)|originalnachricht|message d'origine|message original|mensaje original|mensagem original|messaggio originale|oorspronkelijk bericht|oprindelig (?:meddelelse|besked)|ursprungligt meddelande|originalmeddelande|opprinnelig melding|alkuperäinen viesti|oryginalna wiadomość|wiadomość oryginalna|původní zpráva|исходное сообщение|оригинальное сообщение|orijinal mesaj|原始邮件|原始郵件|元のメッセージ|원본 메시지)\s*[-_\s*]{2,}$/iu;

/** The line above a forwarded message. */
export const FORWARDED =
  /^(?:[-_\s*]{2,}\s*(?:forwarded (?:message|by .{1,80})|weitergeleitete (?:nachricht|mail)|message transféré|mensaje reenviado|mensagem (?:reencaminhada|encaminhada)|messaggio (?:inoltrato|forwarded)|doorgestuurd bericht|videresendt meddelelse|vidarebefordrat meddelande|videresendt melding|przekazana wiadomość|přeposlaná zpráva|пересылаемое сообщение|пересланное сообщение|iletilen mesaj|转发的邮件|轉寄郵件|転送されたメッセージ|전달된 메시지)\s*[-_\s*]{2,}|begin forwarded message:|anfang der weitergeleiteten (?:nachricht|e-?mail):|début du message (?:réexpédié|transféré) ?:|inicio del mensaje reenviado:|inizio messaggio inoltrato:|begin doorgestuurd bericht:)$/iu;

/** Names of header lines above a quoted mail. */
export const HEADER_LINE =
  /^[>\s]*\*?(from|von|de|da|van|fra|från|od|от|发件人|寄件者|差出人|보낸 사람|lähettäjä|sent|gesendet|envoyé|enviado(?: el)?|enviada em|inviato|verzonden|sendt|skickat|wysłano|odesláno|отправлено|发送时间|送信日時|date|datum|fecha|data|dato|дата|日期|to|an|à|para|a|aan|til|till|do|komu|кому|收件人|宛先|cc|kopie|copie|subject|betreff|objet|asunto|assunto|oggetto|onderwerp|emne|ämne|temat|předmět|тема|主题|主旨|件名|제목|aihe|reply-to|importance)\s?\*?\s?[:：]\*?(?:\s|$)/iu;
export const FROM_LINE =
  /^[>\s]*\*?(?:from|von|de|da|van|fra|från|od|от|发件人|寄件者|差出人|보낸 사람|lähettäjä)\s?\*?\s?[:：]\*?\s*(.{1,200})$/iu;
export const SUBJECT_LINE =
  /^[>\s]*\*?(?:subject|betreff|objet|asunto|assunto|oggetto|onderwerp|emne|ämne|temat|předmět|тема|主题|主旨|件名|제목|aihe)\s?\*?\s?[:：]\*?\s*(.{1,200})$/iu;

/** The first line of the footer of a list, a company or a service. */
export const FOOTER =
  /^(?:_{20,}$|you (?:received|are receiving) this (?:message|e-?mail|mail) because|to unsubscribe|unsubscribe|.{0,60}\bto unsubscribe (?:from|send|go|,|click|follow)|sie erhalten diese (?:nachricht|e-?mail)|(?:confidentiality|legal) notice|disclaimer\b|this (?:e-?mail|message)(?: and any.{1,60})? (?:is|are|may be|contains?|may contain)(?: \w+){0,4} (?:confidential|intended|privileged)|the information (?:contained )?in this (?:e-?mail|message)|diese (?:e-?mail|nachricht) (?:ist|enthält|kann) .{0,40}vertraulich|ce (?:message|courriel).{0,60}confidentiel|please consider the environment|bitte prüfen sie.{0,40}umwelt|-----begin pgp signature-----|mailing list$)/iu;
