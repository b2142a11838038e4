"""The 51 printed warriors, table by table as they are printed (WD-T1 to WD-T51).

The first line of a block: rule, id, name, English name, starting hits, printed points value if any.
Then the faces 1 to 9 and 0: ``A30`` Attack, ``D20`` Defence; ``AO`` All Out, ``N`` Neutralize,
``NS`` Neutralize Self, ``R`` Regain, ``X`` No damage, with the printed type in brackets.
"""

from __future__ import annotations

from typing import Final

# The warriors of the first page; names as printed, but for two slips of the pen.
CORE: Final = """\
WD-T1 | guerriero | Guerriero | Warrior | 100
Adder; Doubler; Sword A30; Dagger A20; Hilt Punch A10; Hack & Slash A40; Shield D30; Dodge D40;
Parry D20; Chain Mail D10

WD-T2 | cavaliere | Cavaliere | Knight | 100
Adder; Doubler; Lance A30; Broad Sword A30; Armor D20; Kite Shield D30; Great Helm D20;
Furious Assault A30; Charge AO(A); Plate D30

WD-T3 | ladro | Ladro | Thief | 100
Adder; Doubler; Thrown Dagger A30; Dagger A20; Sap A10; Leather Armor D10; Dexterity D30;
Back Stab A40; Run D30; Hide D30

WD-T4 | barbaro | Barbaro | Barbarian | 100
Adder; Doubler; Battle Axe A30; Kick A10; Overhead Smash A40; Leap D40; Throw Axe A10;
Berserk AO(A); Reflexes D40; Feel no Pain D20

WD-T5 | elfo | Elfo | Elf | 100
Adder; Doubler; Long Sword A30; Bow A30; Elven Chain D20; Fleet of Foot D20; Arrow A40; Dodge D20;
Parry D20; Agility D20

WD-T6 | nano | Nano | Dwarf | 100
Adder; Doubler; War Hammer A30; Armor D20; Shield D20; Axe A30; Sturdy D20; Crossbow A30;
Shield Bash A10; Grim Determination D40

WD-T7 | mago | Mago | Mage | 100
Adder; Doubler; Staff D10; Magic Missile A10; Fireball A40; Lightning Bolt A30; Charm N(A);
Circle of Protection D40; Magic Shield D30; Blur D20

WD-T8 | chierico | Chierico | Cleric | 100
Adder; Doubler; Armor D20; Prayer D20; Shield D20; Blessing D20; Mace A20; Crushing Blow A40;
Heal R(-); Smite A40

WD-T9 | orco | Orco | Orc | 100
Adder; Doubler; Scimitar A30; Tough Hide D20; Stab A20; Disembowel A40; Helm D20; Spiky Armor A10;
Shield D30; Piecemeal Armor D30

WD-T10 | troll | Troll | Troll | 100
Adder; Doubler; Maul A30; Great Strength A40; Barrel Attack A20; Rampage AO(A); Regenerate R(-);
Thick Hide D30; Immune to Pain D30; Great Bulk D20

WD-T11 | oplita_greco | Oplita Greco | Greek Hoplite | 100
Adder; Doubler; Spear A30; Round Shield D30; Thrown Spear A30; Short Sword A30; Breast Plate D30;
Wrestle A10; Greaves D10; Dodge D30

WD-T12 | gladiatore | Gladiatore | Gladiator | 100
Adder; Doubler; Trident A40; Net N(A); Dagger A20; Feint N(A); Dodge D40; Skill D10; Evade D40;
Toughness D10

WD-T13 | legionario_romano | Legionario Romano | Roman Legionary | 100
Adder; Doubler; Short Sword A30; Thrust A40; Pilum A30; Tunic D20; Helmet D10; Shield D30;
Discipline D10; Defend D30

WD-T14 | duelist | Duelist | Duelist | 100
Adder; Doubler; Foil A10; Disarm N(A); Sword Breaker N(A); Lunge A20; Parry D40; Block D30;
Run Through A30; Guard D30

WD-T15 | pirata | Pirata | Pirate | 100
Adder; Doubler; Knockdown A10; Cutlass A30; Sword Play D20; Knife A20; Jump D30; Duck D30;
Sidestep D20; Low Blow A40

WD-T16 | arabo | Arabo | Arab | 100
Adder; Doubler; Tulwar A20; Parry D40; Slashing Steel A20; Dagger A10; Cut Throat A30;
Whirling D20; Catch D40; Throw Sand N(A)

WD-T17 | assassino | Assassino | Assassin | 100
Adder; Doubler; Poisoned Blade A30; Stiletto A10; Garrote A10; Stealth D30; Surprise N(A);
Retreat D40; Deathblow A30; Shadows D30

WD-T18 | samurai | Samurai | Samurai | 100
Adder; Doubler; Vertical Cut A30; Horizontal Cut A30; Katana A30; Kai AO(A); Armor D10; Parry D30;
Speed D30; Force of Will D30

WD-T19 | peter_pan | Peter Pan | Peter Pan | 100
Adder; Doubler; Knife A30; Lost Boys A10; Alligator A50; Indians A10; Fly away D30; Quick D20;
Nimble D20; Tinkerbell D30

WD-T20 | capitan_uncino | Capitan Uncino | Captain Hook | 100
Adder; Doubler; Hook A20; Rapier A20; Cannon A30; Pirates A20; Set Trap AO(-); Hostages D50;
Parry D20; Stubborness D30
"""

# The Lord of the Rings.
RINGS: Final = """\
WD-T21 | black_orc_uruk_hai | Black Orc / Uruk-hai | Black Orc / Uruk-hai | 100
Adder; Doubler; Lance Charge A30; Combat Frenzy X(A); Stab A10; Disembowel A30; Iron Bow A30;
Full Armor D40; Shield D40; Helm D20

WD-T22 | cave_troll_olog_hai | Cave Troll / Olog Hai | Cave Troll / Olog Hai | 100
Adder; Doubler; Club A40; Great Strength A50; Frenzy X(A); Rampage AO(A); Regenerate R(-);
Thick Hide D30; Immune to Pain D30; Great Bulk D20

WD-T23 | moria_orcs | Moria Orcs | Moria Orcs | 100
Adder; Doubler; Adder (Overwhelming numbers); Tough Hide D20; Scimitar A20; Disembowel A20;
Helm D20; Shortbow A20; Shield D30; Piecemeal Armor D30

WD-T24 | legolas | Legolas | Legolas | 100
Adder; Doubler; Doubler (Inhuman reflexes); Bow A30; Arrow A20; Fleet of Foot D20;
Shortswords A30; Dodge D20; Parry D20; Agility D20

WD-T25 | gimli | Gimli | Gimli | 100
Adder; Doubler; War Hammer A30; Armor D30; Shield D20; Axe A30; Shrug it off AO(D);
Throwing Hammer A30; Shield Bash AO(A); Grim Determination D40

WD-T26 | gandalf | Gandalf | Gandalf | 100
Adder; Doubler; Staff Parry D10; Kinetic Blow A10; Glamdring A40; Staff Strike A20; Entrance N(A);
Sphere of Protection D40; Shadowfax AO(A); Experience D20

WD-T27 | boromir | Boromir | Boromir | 100
Adder; Doubler; Slash A40; Kick A20; Overhead Smash A50; Leap D40; Tempted by Ring NS(A);
Berserk AO(A); Reflexes D40; Feel no Pain D20

WD-T28 | aragorn_elessar | Aragorn / Elessar | Aragorn / Elessar | 100
Adder; Doubler; Narsil A30; Dagger A20; Hilt Punch A10; Hack & Slash A40; Shield D30;
Endurance R(-); Parry D40; Chain Mail D10

WD-T29 | samwise_gamgee | Samwise Gamgee | Samwise Gamgee | 100
Doubler; Doubler (Hobbit Luck); Thrown Pan A30; Dagger A20; Kick A10; Short D10; Agile D30;
Sting A40; Run D30; Hide D30

WD-T30 | peregrin_took | Peregrin Took | Peregrin Took | 100
Doubler; Doubler (Hobbit Luck); Shortsword A40; Dagger A30; Kick A20; Short D10;
Defend Gondor AO(A); Ent Drought R(-); Run D40; Hide D30

WD-T31 | meriadoc_brandybuck | Meriadoc Brandybuck | Meriadoc Brandybuck | 100
Doubler; Doubler (Hobbit Luck); Shortsword A40; Dagger A30; Kick A20; Short D10; Backstab AO(A);
Ent Drought R(-); Run D40; Hide D30

WD-T32 | frodo_baggins | Frodo Baggins | Frodo Baggins | 100
Doubler; Doubler (Hobbit Luck); Doubler (Invisibility); Sting A50; Kick A30; Short D10;
Wear Ring N(A); The Old Wound NS(A); Run D30; Hide D40

WD-T33 | faramir | Faramir | Faramir | 100
Adder; Doubler; Bow & Arrow A20; Stealth D30; Longsword A40; Agility D40; Dagger A10;
Sharp Vision D10; Endurance A30; Shield D20
"""

# Warhammer Fantasy.
WARHAMMER: Final = """\
WD-T34 | gotrek_gurnisson | Gotrek Gurnisson | Gotrek Gurnisson | 100
Adder; Doubler; Rune Axe A40; Punch A20; Dwarven Resilience D30; Berserker Rage AO(-); Dodge D30;
Block D20; Ignore Pain D20; Head Butt A30

WD-T35 | felix_jaeger | Felix Jaeger | Felix Jaeger | 100
Adder; Doubler; Chain Mail D40; Dagger A20; Parry D20; Dragon Sword A40; Shoulder Bash A20;
Disarm N(-); Dodge D10; Step Back D30
"""

# Slayer Dice: hits and points are printed.
SLAYER: Final = """\
WD-T36 | vampire_slayer | Vampire Slayer | Vampire Slayer | 120 | 350
Adder; Doubler; Stake A30; Acrobatics D30; Slayer-Fu A40; Scent of the kill AO(A); Parry D30;
Healing Factor R(D); Tough D30; Slayer Strength A40

WD-T37 | companion | Companion | Companion | 100 | 300
Adder; Doubler; Duck D30; Axe A40; Spirits & Charms R(D); Kung-Fu A20; Stake A30; Parry D30;
Incantation A10; Defensive Stance D20

WD-T38 | lesser_vampire | Lesser Vampire | Lesser Vampire | 130 | 350
Adder; Doubler; Drop Fang A30; Undead D40; Vamp-Fu A40; Claws A30; Regenerate R(D); Block D30;
Scent of blood AO(A); Resilient D20

WD-T39 | master_vampire | Master Vampire | Master Vampire | 150 | 450
Adder; Doubler; Drop Fang A30 / Mist Form D30; Talons A30; Undead D50 / Rending Blow A20;
Vamp-Fu A40; Regenerate R(D); Block D50; Mesmerize N(A); Scent of blood AO(A)

WD-T40 | werewolf | Werewolf | Werewolf | 140 | 350
Adder; Doubler; Regenerate R(D); Claw Swipe A30; Fangs A40; Leap D30; Battle Frenzy AO(A);
Dodge D30; Regenerate R(D); Wolf-Fu A30

WD-T41 | minor_demon | Minor Demon | Minor Demon | 120 | 350
Adder; Doubler; Spiky Bits A30; Rough Hide D30; Dodge D30; Demon-Fu A40; Bony Plates D30;
Fangs A20; Energy Bolt A30; Block D20

WD-T42 | demon_lord | Demon Lord | Demon Lord | 200 | 500
Adder; Doubler; Doubler (Infernal Power); Rune Blade A40 / Parry D20;
Bloodstone Armor D30 / Spiked Gauntlets A20; Mighty Punch A40; Demon-Fu A30; Regenerate R(D);
Dodge D40; Stunning Roar N(D)

WD-T43 | risen_dead | Risen Dead | Risen Dead | 100 | 300
Adder; Doubler; Claw A20; Bite A30; Block D30; Grapple A10; Dead Man Walkin' D30; No Pain D20;
Chomp! A40; Relentless D20

WD-T44 | witch_300 | Witch | Witch | 100 | 300
Adder; Doubler; Confusion N(A); Call Lightning A30; Mystic Wall D40; Telekinetic Daggers A20;
Invoke the Goddess R(D); Athame A30; Witch-Fu D20; Spirits & Charms D20

WD-T45 | witch_450 | Witch | Witch | 200 | 450
Adder; Doubler; Witch-Fu A20 / Spell Shield D20; Soul Blast A40; Invoke the Goddess R(D);
Tempus Fugit AO(A) / Witch-Fu D30; Hex N(A); Athame A40; Call the Elements D30; Block D20

WD-T46 | demon_hunter | Demon Hunter | Demon Hunter | 100 | 300
Adder; Doubler; Crossbow A30; Sword A20; Mesh Shirt D30; Charm R(D); Kung-Fu A40;
Daggers & Stakes A10; Kung-Fu D10; Talisman D40

WD-T47 | creep_of_the_week | Creep-of-the-Week | Creep-of-the-Week | 150 | 400
Adder; Doubler; Claws A40; Mucous Spit N(A); Scaly Hide D40; Bite A30; Energy Blast A30;
Dark Secrets D40; Evil Magic D30; Creep-Fu D20
"""

# Shadow Warriors; * marks the supernatural trait (WD-59).
SHADOW: Final = """\
WD-T48 | miranda_thorne | Miranda Thorne | Miranda Thorne | 100 | 300
Adder; Doubler; Dodge D30; Tiger Stance A20; Claws A30*; Acrobatic D40; Boot Knife A20;
Roll With It D10; Mental Discipline R(D); Sleeve Pistol A30

WD-T49 | gregor_kaprov | Gregor Kaprov | Gregor Kaprov | 100 | 300
Adder; Doubler; Big Fist A20; Bigger Boot A30; Knock Away D10; Dodge D30; Fanged Bite A40*;
Padded Overcoat D30; Choke A10; Block D30

WD-T50 | jasmine | Jasmine | Jasmine | 100 | 300
Adder; Doubler; Wicked Little Knife A10; Leaping Kick A30; Nimble Little Minx D30;
Winged Retreat D20*; Eye Rake A20; Wicked Big Knife A40; Parry D30; Slide Roll D20

WD-T51 | darian_cross | Darian Cross | Darian Cross | 100 | 300
Adder; Doubler; Back Flip D20; Venom Spit A30*; Silver-Headed Cane A10; Parry D20;
Serpent Stance A30; Custom Trench Coat D30; Spinning Leap D30; .45 Magnum A30
"""

TABLES: Final = (CORE, RINGS, WARHAMMER, SLAYER, SHADOW)
