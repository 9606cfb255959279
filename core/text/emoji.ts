// Names of emoji that tools and people write most, as Slack, ntfy and GitHub have them.

const EMOJI = new Map(
  `
    +1 👍  -1 👎  alarm_clock ⏰  arrow_down ⬇️  arrow_up ⬆️  ballot_box_with_check ☑️  bangbang ‼️
    bar_chart 📊  battery 🔋  beer 🍺  bell 🔔  black_circle ⚫  bomb 💣  book 📖  boom 💥  bug 🐛  bulb 💡
    calendar 📆  camera 📷  chart_with_downwards_trend 📉  chart_with_upwards_trend 📈  check ✅  clap 👏
    clipboard 📋  clock1 🕐  cloud ☁️  coffee ☕  cold_face 🥶  computer 💻  construction 🚧  cop 👮
    crossed_fingers 🤞  cry 😢  cyclone 🌀  door 🚪  droplet 💧  email 📧  exclamation ❗  eyes 👀  facepalm 🤦
    fire 🔥  floppy_disk 💾  gear ⚙️  ghost 👻  green_circle 🟢  grey_exclamation ❕  grey_question ❔
    hammer 🔨  heart ❤️  heavy_check_mark ✔️  heavy_exclamation_mark ❗  hot_face 🥵  hourglass ⌛  house 🏠
    information_source ℹ️  key 🔑  large_blue_circle 🔵  large_green_circle 🟢  large_orange_circle 🟠
    large_red_circle 🔴  large_yellow_circle 🟡  link 🔗  lock 🔒  loudspeaker 📢  mag 🔍  mailbox 📫  mega 📣
    memo 📝  money_with_wings 💸  moneybag 💰  moyai 🗿  muscle 💪  no_entry ⛔  no_entry_sign 🚫
    octagonal_sign 🛑  ok 🆗  ok_hand 👌  orange_circle 🟠  package 📦  partying_face 🥳  point_right 👉
    pray 🙏  pushpin 📌  question ❓  rainbow 🌈  raised_hands 🙌  recycle ♻️  red_circle 🔴  robot 🤖
    rocket 🚀  rotating_light 🚨  satellite 📡  scream 😱  seedling 🌱  shield 🛡️  skull 💀
    skull_and_crossbones ☠️  slightly_smiling_face 🙂  smile 😄  snail 🐌  snowflake ❄️  sob 😭  sos 🆘
    sparkles ✨  speech_balloon 💬  star ⭐  stop_sign 🛑  stopwatch ⏱️  sunny ☀️  tada 🎉  thermometer 🌡️
    thinking 🤔  thinking_face 🤔  thumbsdown 👎  thumbsup 👍  traffic_light 🚥  triangular_flag_on_post 🚩  unlock 🔓
    warning ⚠️  wastebasket 🗑️  wave 👋  whale 🐳  white_check_mark ✅  white_circle ⚪  wrench 🔧  x ❌
    yellow_circle 🟡  zap ⚡  zzz 💤
  `
    .trim()
    .split(/\s{2,}/)
    .map((pair) => pair.split(' ') as [string, string]),
);

/** The emoji of a name without colons, or nothing. */
export function emojiNamed(name: string): string {
  return EMOJI.get(name) ?? '';
}

const NAMED = /:([a-z0-9_+-]{1,60}):(?::skin-tone-([2-6]):)?/g;
/** The first of five skin tones, which Slack counts from 2. */
const FIRST_TONE = 0x1_f3fb;

/**
 * The text with the names that are known (`:fire:`, `:wave::skin-tone-2:`) as emoji; `others` are known as
 * well, with or without a tone. Between letters or digits it is no name: `root:x:0`.
 */
export function withEmoji(text: string, others: ReadonlyMap<string, string> = new Map()): string {
  return text.replace(NAMED, (all, name: string, tone: string | undefined, at: number) => {
    if (/^[a-z0-9]:.*:[a-z0-9]$/i.test(text.slice(at - 1, at + all.length + 1))) return all;
    const toned = tone === undefined ? undefined : others.get(`${name}::skin-tone-${tone}`);
    if (toned !== undefined) return toned;
    const emoji = others.get(name) ?? emojiNamed(name);
    if (emoji === '' || tone === undefined) return emoji || all;
    return `${emoji.replace('\uFE0F', '')}${String.fromCodePoint(FIRST_TONE + Number(tone) - 2)}`;
  });
}

/** The name of an emoji with its skin tone, as the text of a message has it. */
export function withTone(name: string, characters: string): string {
  const tone = /[\u{1F3FB}-\u{1F3FF}]/u.exec(characters)?.[0].codePointAt(0);
  return tone === undefined ? name : `${name}::skin-tone-${tone - FIRST_TONE + 2}`;
}
